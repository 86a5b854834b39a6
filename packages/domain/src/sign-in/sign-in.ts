import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { NoActiveKey } from '../signing-keys/active-key.ts';
import type { MasterKeyRejected } from '../signing-keys/key-encryption.ts';
import { addMilliseconds } from '../time/instant.ts';
import { type MintTokenPorts, mintToken } from '../tokens/issuing/mint-token.ts';
import type { TokenFormat } from '../tokens/token.ts';
import { tokenCreated } from '../tokens/token-events.ts';
import type { EmailKey } from '../users/email.ts';
import type { HashingBusy } from '../users/password-hasher.ts';
import { type Credentials, isActive } from '../users/user-repository.ts';
import { attemptOf, type SignInThrottle, type TooManyAttempts } from './sign-in-throttle.ts';

/** Unknown email, wrong password, disabled user or suspended account; the client is not told which. */
type CredentialsNotAccepted = { readonly code: 'credentials_not_accepted' };

/** Default lifetime of a sign-in token, in milliseconds: 30 days. */
export const DEFAULT_SIGN_IN_LIFETIME_MS = 30 * 86_400_000;

export interface SignInPorts extends MintTokenPorts, Ports<'users' | 'passwords' | 'tokens' | 'clock'> {
  readonly throttle: SignInThrottle;
  readonly format: TokenFormat;
  /** Lifetime of the token, in milliseconds. */
  readonly lifetimeMs: number;
}

interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
}

export type SignInError =
  | CredentialsNotAccepted
  | TooManyAttempts
  | HashingBusy
  | NoActiveKey
  | MasterKeyRejected;

/**
 * Maximum number of live sign-in tokens per user; one more revokes the oldest. The transaction that disables a user
 * or sets a new password revokes all of them, so their number decides how long it takes.
 */
export const MAX_LIVE_SIGN_INS = 1000;

/** Maximum revoked per sign-in, for users who have more tokens from a version without the limit. */
const ENDED_AT_ONCE = 1000;

/** Returns a token for the user if the password is right. */
export type SignIn = (input: SignInInput) => Promise<Result<string, SignInError>>;

export function signIn(ports: SignInPorts): SignIn {
  return async (input) => {
    const attempt = attemptOf(input.email, input.address);
    const admitted = await ports.throttle.admit(attempt);
    if (!admitted.ok) return admitted;

    const signedIn = await verifyAndIssue(ports, attempt.email, input);
    if (!signedIn.ok) return signedIn;
    const { token, credentials } = signedIn.value;
    await ports.throttle.succeeded(attempt);
    await strengthenHash(ports, credentials, input.password);
    return ok(token);
  };
}

async function verifyAndIssue(
  ports: SignInPorts,
  email: EmailKey,
  input: SignInInput,
  isSecondTime = false,
): Promise<Result<{ readonly token: string; readonly credentials: Credentials }, SignInError>> {
  const credentials = await ports.users.findCredentials(email);
  // Does the same work whether or not the user exists, so that the response time reveals nothing.
  const verified = await ports.passwords.verify(input.password, credentials?.passwordHash);
  if (!verified.ok) return verified;
  if (!credentials || !verified.value || !isActive(credentials)) {
    return err({ code: 'credentials_not_accepted' });
  }
  const token = await issueSignInToken(ports, credentials, input.address);
  if (token.ok) return ok({ token: token.value, credentials });
  if (token.error.code !== 'password_changed') return err(token.error);
  // A concurrent sign-in may have stored a stronger hash of the same password. If the password changed, this fails.
  return isSecondTime ? err({ code: 'credentials_not_accepted' }) : verifyAndIssue(ports, email, input, true);
}

async function issueSignInToken(ports: SignInPorts, { user, passwordHash }: Credentials, origin: string) {
  const { id: userId, accountId } = user;
  const now = ports.clock.now();
  const minted = await mintToken(ports, {
    accountId,
    userId,
    kind: 'sign-in',
    name: 'Sign-in',
    format: ports.format,
    scopes: ['*'],
    createdAt: now,
    expiresAt: addMilliseconds(now, ports.lifetimeMs),
    replaces: null,
  });
  if (!minted.ok) return minted;
  const { record, secret } = minted.value;
  const event = { ...tokenCreated(record), actor: { kind: 'user', id: userId } as const, origin };
  const stored = await ports.tokens.insert(record, { verifiedHash: passwordHash }, event);
  if (stored.ok) {
    const bound = { userId, keep: MAX_LIVE_SIGN_INS, limit: ENDED_AT_ONCE };
    const reason = `the user has ${MAX_LIVE_SIGN_INS} newer sign-ins`;
    await ports.tokens.endOldestSignIns(bound, { at: now, by: event.actor, reason }, event);
    return ok(secret);
  }
  const { code } = stored.error;
  if (code === 'password_changed') return err({ code });
  if (code === 'key_not_usable') return err({ code: 'no_active_key', format: ports.format });
  // The user or account was disabled or suspended during the verification.
  return err({ code: 'credentials_not_accepted' });
}

async function strengthenHash(
  { users, passwords }: SignInPorts,
  { user, passwordHash }: Credentials,
  password: string,
): Promise<void> {
  if (!passwords.isOutdated(passwordHash)) return;
  const stronger = await passwords.hash(password);
  // When the hashing queue is full, the old hash stays until the next sign-in.
  if (stronger.ok)
    await users.replacePasswordHash(user.id, { verified: passwordHash, stronger: stronger.value });
}
