import type { Ports } from '../ports.ts';
import { err } from '../result.ts';
import type { PendingSignIn } from '../second-factor/second-factor.ts';
import type { PendingSecret } from '../second-factor/second-factor-secrets.ts';
import {
  type CredentialsInput,
  renewHash,
  type VerifyCredentialsPorts,
  withPassword,
} from '../sign-in/verify-credentials.ts';
import { type OpenedSession, type StoreSessionPorts, storeSession } from './store-session.ts';

export type OpenSessionPorts = VerifyCredentialsPorts &
  StoreSessionPorts &
  Ports<'secondFactors' | 'secondFactorSecrets'>;

interface OpenSessionInput extends CredentialsInput {
  /** The browser's `User-Agent`, of any length. */
  readonly userAgent: string | null;
}

/** The error if the password was right, and the user has to enter a code now. */
export interface SecondFactorAsked {
  readonly code: 'second_factor_required';
  /** The value of the cookie with which the browser gives the code. */
  readonly pending: PendingSecret;
}

/**
 * Opens a session for the user if the password is right. Attempts are limited in the same way as the attempts of
 * `signIn`. If the user has a second factor, no session is opened: `completeSignIn` opens it with the code. Only then
 * the attempt counts as successful.
 */
export function openSession(ports: OpenSessionPorts) {
  return (input: OpenSessionInput) =>
    withPassword<OpenedSession, SecondFactorAsked>(
      ports,
      { ...input, isOnPage: true },
      async (credentials) => {
        const { user, passwordHash, secondFactor } = credentials;
        const { enrolledAt } = secondFactor;
        if (enrolledAt !== null) {
          const verifiedHash = await renewHash(ports, credentials, input.password);
          return askForCode(ports, { userId: user.id, verifiedHash, enrolledAt });
        }
        const guard = { verifiedHash: passwordHash, secondFactorAt: null };
        const stored = await storeSession(ports, user, input, guard);
        if (stored.ok) return stored;
        // The user was disabled or the account suspended during the verification.
        return stored.error.code === 'user_not_fit'
          ? err({ code: 'credentials_not_accepted' })
          : err(stored.error);
      },
    );
}

/** Stores that the password was right, for the next request of this browser. */
async function askForCode(
  { secondFactors, secondFactorSecrets, clock }: OpenSessionPorts,
  of: Pick<PendingSignIn, 'userId' | 'verifiedHash' | 'enrolledAt'>,
) {
  const pending = secondFactorSecrets.createPending();
  const secretHash = secondFactorSecrets.hashOfPending(pending);
  await secondFactors.insertPending({ ...of, secretHash, createdAt: clock.now() });
  return err<SecondFactorAsked>({ code: 'second_factor_required', pending });
}
