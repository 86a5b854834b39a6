import type { Ports } from '../ports.ts';
import { secondFactorKeyId } from '../second-factor/second-factor.ts';
import type { Email } from '../users/email.ts';
import type { UserId } from '../users/user.ts';
import { defineCheck, type Outcome, outcomeOf } from './check.ts';

/** Second factors that are read at once. */
const BATCH = 500;

/** The maximum number of users that a finding names. */
const NAMED = 5;

type SecondFactorsUnreadable = {
  readonly code: 'second_factors_unreadable';
  readonly count: number;
  /** The addresses of the first of the users. */
  readonly emails: readonly Email[];
};

/** Checks that the master key, if one is configured, decrypts the secrets of all second factors. */
export const secondFactorsCheck = defineCheck({
  id: 'second_factors',
  passed: 'The master key decrypts the secrets of all second factors.',
  name: 'the secrets of second factors',
  async run({
    secondFactors,
    users,
    findMasterKey,
  }: Ports<'secondFactors' | 'users' | 'findMasterKey'>): Promise<Outcome<SecondFactorsUnreadable>> {
    const found = await findMasterKey();
    // A master key that cannot be used is a finding of the check `master_key`.
    if (!found?.ok) return { status: 'skipped', because: 'no_master_key' };
    const unreadable: UserId[] = [];
    let after: UserId | undefined;
    for (;;) {
      const page = await secondFactors.list({ after, limit: BATCH });
      for (const { userId, sealedSecret } of page) {
        const opened = await found.value.open(sealedSecret, secondFactorKeyId(userId));
        if (!opened.ok) unreadable.push(userId);
      }
      after = page.at(-1)?.userId;
      if (page.length < BATCH) break;
    }
    if (unreadable.length === 0) return outcomeOf([]);
    const named = await Promise.all(unreadable.slice(0, NAMED).map((id) => users.findById(id)));
    const emails = named.flatMap((user) => (user ? [user.email] : []));
    return outcomeOf([{ code: 'second_factors_unreadable', count: unreadable.length, emails }]);
  },
  findings: {
    second_factors_unreadable: ({ count, emails }) => ({
      message: `The master key of this machine does not decrypt the secrets of ${count === 1 ? 'one second factor' : `${count} second factors`}: of ${emails.join(', ')}${count > emails.length ? ' and others' : ''}. These users can sign in with a recovery code only.`,
      remedy:
        'Configure the master key with which the secrets were encrypted. If it is lost, run `gatehouse user reset-second-factor EMAIL --reason TEXT` for each.',
    }),
  },
});
