import type { Ports } from '../ports.ts';
import { addMilliseconds, formatInstant } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import { defineCheck, outcomeOf } from './check.ts';

/** The maximum number of users that a finding names. */
const NAMED = 5;

/** For how long a refused identity is reported, in milliseconds: 7 days. */
const REPORTED_MS = 7 * 86_400_000;

/** Reports users whose ways to sign in need the operator's attention. */
export const signInsCheck = defineCheck({
  id: 'sign_ins',
  passed: 'No password is open, and the identity providers and Gatehouse agree about the users.',
  name: 'how users sign in',
  async run({ breakGlass, clock }: Ports<'breakGlass' | 'clock'>) {
    const at = clock.now();
    const since = addMilliseconds(at, -REPORTED_MS);
    const found = await breakGlass.findConcerns({ at, since, limit: NAMED + 1 });
    const { armed, withoutPassword, otherIdentities, keptAdmins, withoutBreakGlass } = found;
    const outcome = outcomeOf([
      ...armed
        .slice(0, NAMED)
        .map(({ user: { email }, until }) => ({ code: 'password_open', email, until }) as const),
      ...(withoutPassword.length > 0
        ? [{ code: 'break_glass_without_password', ...named(withoutPassword) } as const]
        : []),
      ...(otherIdentities.length > 0
        ? [{ code: 'other_identity_refused', ...named(otherIdentities) } as const]
        : []),
      ...(keptAdmins.length > 0 ? [{ code: 'demotion_refused', ...named(keptAdmins) } as const] : []),
    ]);
    return outcome.status === 'passed' && withoutBreakGlass.length > 0
      ? { ...outcome, remark: 'no_break_glass_admin' as const }
      : outcome;
  },
  findings: {
    password_open: ({ email, until }) => ({
      message: `The password of ${email} is open on the pages until ${formatInstant(until)}, also while passwords are off.`,
      remedy: `When the emergency is over, run \`gatehouse user arm ${email} --end\`.`,
    }),
    break_glass_without_password: ({ emails, more }) => ({
      message: `These users are marked for emergencies, but have no password: ${listed(emails, more)}.`,
      remedy: 'Set one with `gatehouse user set-password EMAIL`, and keep it in a safe place.',
    }),
    other_identity_refused: ({ emails, more }) => ({
      message: `Within 7 days, a person with another identity tried to sign in with an identity provider as these users: ${listed(emails, more)}.`,
      remedy:
        'Ask the user and the admins of the provider who it was. `gatehouse audit list --action user.link_refused` has the details. If the user now has another identity, run `gatehouse user unlink EMAIL --reason TEXT`.',
    }),
    demotion_refused: ({ emails, more }) => ({
      message: `The identity provider no longer makes these users admins, but each is the last admin of the account: ${listed(emails, more)}.`,
      remedy:
        'Make another user an admin with `gatehouse user set-role EMAIL --role admin`, or correct the groups at the provider. Then the role changes when the user signs in.',
    }),
  },
});

const named = (users: readonly User[]) => ({
  emails: users.slice(0, NAMED).map(({ email }) => email),
  more: users.length > NAMED,
});

const listed = (emails: readonly string[], more: boolean) =>
  `${emails.join(', ')}${more ? ', and more' : ''}`;
