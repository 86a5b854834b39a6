import type { AuditEvent } from '../audit/audit-event.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { type NoActiveKey, type RememberedKey, rememberActiveKey } from '../signing-keys/active-key.ts';
import type { MasterKeyRejected } from '../signing-keys/key-encryption.ts';
import { addMilliseconds, type Instant, wholeSecond } from '../time/instant.ts';
import { type MintTokenPorts, mintTokenBy } from '../tokens/issuing/mint-token.ts';
import type { TokenFormat } from '../tokens/token.ts';
import { tokenCreated } from '../tokens/token-events.ts';
import type { PasswordChanged } from '../users/password-hasher.ts';
import type { UserId } from '../users/user.ts';
import type { Credentials } from '../users/user-repository.ts';
import {
  type CredentialsError,
  type CredentialsInput,
  type VerifyCredentialsPorts,
  verifyCredentials,
} from './verify-credentials.ts';

/** Default lifetime of a sign-in token, in milliseconds: 30 days. */
export const DEFAULT_SIGN_IN_LIFETIME_MS = 30 * 86_400_000;

export interface SignInPorts extends VerifyCredentialsPorts, MintTokenPorts, Ports<'tokens' | 'clock'> {
  readonly format: TokenFormat;
  /** Lifetime of the token, in milliseconds. */
  readonly lifetimeMs: number;
}

export type SignInError = CredentialsError | NoActiveKey | MasterKeyRejected;

/**
 * Maximum number of live sign-in tokens per user; one more revokes the oldest. The transaction that disables a user
 * or sets a new password revokes all of them, so their number decides how long it takes.
 */
export const MAX_LIVE_SIGN_INS = 1000;

/** Maximum revoked per sign-in, for users who have more tokens from a version without the limit. */
const ENDED_AT_ONCE = 1000;

/** A token that was issued to a user who signed in. */
export interface SignedIn {
  /** The token itself, which is shown once and never stored. */
  readonly secret: string;
  readonly expiresAt: Instant;
}

/** Issues a token for the user if the password is right. */
export type SignIn = (input: CredentialsInput) => Promise<Result<SignedIn, SignInError>>;

export function signIn(ports: SignInPorts): SignIn {
  const verify = verifyCredentials(ports);
  const activeKey = rememberActiveKey(ports, ports.format);
  return (input) =>
    verify(input, (credentials) => issueSignInToken(ports, activeKey, credentials, input.address));
}

async function issueSignInToken(
  ports: SignInPorts,
  activeKey: RememberedKey,
  credentials: Credentials,
  origin: string,
  isSecondTime = false,
): Promise<Result<SignedIn, SignInError | PasswordChanged>> {
  const key = await activeKey.open();
  if (!key.ok) return key;
  const { user, passwordHash } = credentials;
  const { id: userId, accountId } = user;
  const now = ports.clock.now();
  const expiresAt = wholeSecond(addMilliseconds(now, ports.lifetimeMs));
  const { record, secret } = await mintTokenBy(key.value, ports, {
    accountId,
    userId,
    kind: 'sign-in',
    name: 'Sign-in',
    format: ports.format,
    scopes: ['*'],
    createdAt: now,
    expiresAt,
    replaces: null,
  });
  const event = { ...tokenCreated(record), actor: { kind: 'user', id: userId } as const, origin };
  // A key that was just read may be replaced at this moment, and then still signs.
  const guard = { verifiedHash: passwordHash, needsActiveKey: !isSecondTime, keep: MAX_LIVE_SIGN_INS };
  const stored = await ports.tokens.insertSignIn(record, guard, event);
  if (stored.ok) {
    if (stored.value.isSurplus) await endOldest(ports, userId, event);
    return ok({ secret, expiresAt });
  }
  const { code } = stored.error;
  if (code === 'password_changed') return err({ code });
  if (code === 'key_not_usable') {
    if (isSecondTime) return err({ code: 'no_active_key', format: ports.format });
    activeKey.forget(key.value);
    return issueSignInToken(ports, activeKey, credentials, origin, true);
  }
  // The user or account was disabled or suspended during the verification.
  return err({ code: 'credentials_not_accepted' });
}

async function endOldest({ tokens }: Ports<'tokens'>, userId: UserId, created: AuditEvent): Promise<void> {
  const bound = { userId, keep: MAX_LIVE_SIGN_INS, limit: ENDED_AT_ONCE };
  const reason = `the user has ${MAX_LIVE_SIGN_INS} newer sign-ins`;
  await tokens.endOldestSignIns(bound, { at: created.at, by: created.actor, reason }, created);
}
