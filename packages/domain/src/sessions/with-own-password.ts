import type { Principal } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { type ProvePorts, proveSecondFactor } from '../second-factor/prove-second-factor.ts';
import type { ProofRefusal } from '../second-factor/second-factor-repository.ts';
import { type VerifyCredentialsPorts, withPassword } from '../sign-in/verify-credentials.ts';
import type { Instant } from '../time/instant.ts';
import type { Email } from '../users/email.ts';
import type { HashingBusy, PasswordChanged } from '../users/password-hasher.ts';
import type { Credentials } from '../users/user-repository.ts';
import type { SessionId } from './session.ts';
import type { SessionNotFound, VerifiedCredentials } from './session-repository.ts';
import { parseSessionSecret, type SecretRenewal, type SessionSecret } from './session-secrets.ts';

export interface OwnPassword {
  /** The session in which the caller acts. */
  readonly sessionId: SessionId;
  /** The session's secret, from the request. */
  readonly secret: string;
  /** The caller's email. */
  readonly email: Email;
  /** The caller's current password. */
  readonly password: string;
  /** A code of the second factor, or a recovery code. Only users who enrolled one need it. */
  readonly code?: string | undefined;
}

export type OwnPasswordPorts = VerifyCredentialsPorts & ProvePorts & Ports<'sessionSecrets'>;

/** The error if the user has a second factor, and gave no code. */
export type SecondFactorRequired = { readonly code: 'second_factor_required' };

/**
 * A function that makes one change for the user, such as a new password, and replaces the session's secret in the same
 * transaction.
 */
export type Change<E = never> = (
  credentials: Credentials,
  renewal: SecretRenewal,
) => Promise<Result<void, E | SessionNotFound | PasswordChanged | HashingBusy>>;

/** The credentials that were verified, as changes check them again. */
export const verifiedOf = ({ passwordHash, secondFactor }: Credentials): VerifiedCredentials => ({
  verifiedHash: passwordHash,
  secondFactorAt: secondFactor.enrolledAt,
});

/**
 * Verifies the caller's current password and the code, if the caller has a second factor, calls `change`, and returns
 * the session's new secret. Refuses the credentials of another user. A code is only looked at after the right password.
 */
export function withOwnPassword<E = never>(
  ports: OwnPasswordPorts,
  { userId, origin: address }: Principal,
  { secret, email, password, code = '' }: OwnPassword,
  change: Change<E>,
  options?: Parameters<typeof withPassword>[3],
) {
  const { sessionSecrets } = ports;
  /** The enrolment whose code was accepted. A second try must not ask for another code. */
  let provedAt: Instant | undefined;

  async function prove({ user, secondFactor: { enrolledAt } }: Credentials) {
    if (enrolledAt === null || enrolledAt === provedAt) return ok(undefined);
    if (code === '') return err<SecondFactorRequired>({ code: 'second_factor_required' });
    const proved = await proveSecondFactor(ports, { user, enrolledAt, code, address });
    if (proved.ok) provedAt = enrolledAt;
    return proved;
  }

  const renew = async (credentials: Credentials) => {
    if (credentials.user.id !== userId) return err({ code: 'credentials_not_accepted' });
    const from = parseSessionSecret(secret);
    if (from === undefined) return err({ code: 'session_not_found' });
    const proved = await prove(credentials);
    if (!proved.ok) return proved;
    const to = sessionSecrets.createSecret();
    const renewal = { from: sessionSecrets.hashOf(from), to: sessionSecrets.hashOf(to) };
    const changed = await change(credentials, renewal);
    return changed.ok ? ok({ secret: to }) : changed;
  };
  return withPassword<
    { readonly secret: SessionSecret },
    E | SessionNotFound | SecondFactorRequired | ProofRefusal
  >(ports, { email, password, address, isOnPage: true }, renew, options);
}
