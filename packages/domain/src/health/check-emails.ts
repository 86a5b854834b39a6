import type { Ports } from '../ports.ts';
import type { Email } from '../users/email.ts';
import { defineCheck, outcomeOf } from './check.ts';

/** The maximum number of users that a finding names. */
const NAMED = 5;

/**
 * Reports two users who have the same address in different spellings, and users whom servers of an older version
 * created after the upgrade.
 */
export const emailsCheck = defineCheck({
  id: 'emails',
  passed: 'Every user has an email address of their own.',
  name: 'addresses of users',
  async run({ users }: Ports<'users'>) {
    const strays = await users.listStrayEmails(NAMED + 1);
    const shared = strays.flatMap(({ email, sharedWith }) =>
      sharedWith ? [[email, sharedWith] as const] : [],
    );
    const outdated = strays.filter(({ sharedWith }) => sharedWith === null).map(({ email }) => email);
    return outcomeOf([
      ...(shared.length > 0
        ? [{ code: 'emails_shared', pairs: shared.slice(0, NAMED), more: shared.length > NAMED } as const]
        : []),
      ...(outdated.length > 0
        ? [
            {
              code: 'emails_outdated',
              emails: outdated.slice(0, NAMED),
              more: outdated.length > NAMED,
            } as const,
          ]
        : []),
    ]);
  },
  findings: {
    emails_shared: ({ pairs, more }) => ({
      message: `These users have the same email address in two spellings: ${pairs.map(describePair).join('; ')}${andMore(more)}.`,
      remedy:
        'Each user can still sign in with the stored spelling. Create one of the two users again with another address. Then run `gatehouse user disable OLD --transfer-tokens NEW`, where OLD and NEW are the two addresses of this user.',
    }),
    emails_outdated: ({ emails, more }) => ({
      message: `A server of an older version of Gatehouse created these users: ${emails.join(', ')}${andMore(more)}. They cannot sign in with every spelling of their addresses.`,
      remedy: 'When all servers run this version, run `gatehouse migrate` again.',
    }),
  },
});

const describePair = ([one, other]: readonly [Email, Email]) => `${one} and ${other}`;

const andMore = (more: boolean) => (more ? ', and more' : '');
