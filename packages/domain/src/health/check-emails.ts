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
  passed: 'Every user has an address of their own.',
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
      message: `Users have the same address in two spellings: ${pairs.map(describePair).join('; ')}${andMore(more)}.`,
      remedy:
        'Both sign in by the address as it is stored. Create one of them under another address, and disable the old one, with `gatehouse user disable EMAIL --transfer-tokens EMAIL`.',
    }),
    emails_outdated: ({ emails, more }) => ({
      message: `A server of an older version stored these users: ${emails.join(', ')}${andMore(more)}. Some spellings of their addresses are not found.`,
      remedy: 'When all servers are of this version, run `gatehouse migrate` again.',
    }),
  },
});

const describePair = ([one, other]: readonly [Email, Email]) => `${one} and ${other}`;

const andMore = (more: boolean) => (more ? ', and more' : '');
