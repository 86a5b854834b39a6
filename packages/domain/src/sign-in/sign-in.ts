import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { needsSecondFactor } from '../second-factor/second-factor.ts';
import { type NoActiveKey, rememberActiveKey } from '../signing-keys/active-key.ts';
import type { MasterKeyRejected } from '../signing-keys/key-encryption.ts';
import { addMilliseconds, type Instant, wholeSecond } from '../time/instant.ts';
import { type MintTokenPorts, mintTokenBy } from '../tokens/issuing/mint-token.ts';
import type { Token, TokenFormat } from '../tokens/token.ts';
import { tokenCreated } from '../tokens/token-events.ts';
import type { SignInInsertRefusal } from '../tokens/token-repository.ts';
import type { KeyPair } from '../tokens/token-signer.ts';
import type { User } from '../users/user.ts';
import type { Credentials } from '../users/user-repository.ts';
import {
  admitAttempt,
  type CredentialsError,
  type CredentialsInput,
  noteSuccess,
  type VerifyCredentialsPorts,
  verifyPassword,
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
 * Maximum number of live sign-in tokens per user. Another sign-in revokes the oldest token. Disabling a user or setting
 * a new password revokes all of these tokens in one transaction, and the maximum keeps that transaction short.
 */
export const MAX_LIVE_SIGN_INS = 1000;

/**
 * Maximum number of tokens that one sign-in revokes. A user can have more than `MAX_LIVE_SIGN_INS` tokens from an older
 * version of Gatehouse that had no limit.
 */
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
  const activeKey = rememberActiveKey(ports, ports.format);
  return async (input) => {
    const admitted = await admitAttempt(ports, input);
    if (!admitted.ok) return admitted;
    using attempt = admitted.value;

    let refused: SignInError = { code: 'credentials_not_accepted' };
    for (const isRetry of [false, true]) {
      const verified = await verifyPassword(ports, input);
      if (!verified.ok) return verified;
      // The API has no place for a code. Like a wrong password, after the same work.
      if (needsSecondFactor(verified.value.secondFactor, verified.value.user))
        return err({ code: 'credentials_not_accepted' });
      const key = await activeKey.open();
      if (!key.ok) return key;
      const issued = await issue(ports, key.value, verified.value, input.address, isRetry);
      if (issued.ok) {
        await noteSuccess(ports, attempt, verified.value, input.password);
        return issued;
      }
      refused = refusalOf(issued.error, ports.format);
      if (!isOutdated(issued.error)) break;
      activeKey.forget(key.value);
    }
    return err(refused);
  };
}

/**
 * Mints a token for the user and stores it. Most accounts allow the lifetime of sign-in tokens, so their rules are read
 * only by the statement that stores the token. If that refuses the lifetime, mints a token with the longest allowed
 * one.
 */
async function issue(
  ports: SignInPorts,
  key: KeyPair,
  credentials: Credentials,
  address: string,
  isRetry: boolean,
): Promise<Result<SignedIn, SignInInsertRefusal>> {
  async function issueFor(lifetimeMs: number): Promise<Result<SignedIn, SignInInsertRefusal>> {
    const { record, secret, expiresAt } = await mint(ports, key, credentials.user, lifetimeMs);
    const stored = await insert(ports, record, credentials, address, isRetry);
    return stored.ok ? ok({ secret, expiresAt }) : stored;
  }

  const issued = await issueFor(ports.lifetimeMs);
  if (issued.ok || issued.error.code !== 'lifetime_not_allowed') return issued;
  return issueFor(issued.error.maxLifetimeMs ?? ports.lifetimeMs);
}

/** Makes a token for the user. It is not stored yet. */
async function mint(ports: SignInPorts, key: KeyPair, { id: userId, accountId }: User, lifetimeMs: number) {
  const createdAt = ports.clock.now();
  const expiresAt = wholeSecond(addMilliseconds(createdAt, lifetimeMs));
  const minted = await mintTokenBy(key, ports, {
    accountId,
    userId,
    kind: 'sign-in',
    name: 'Sign-in',
    format: ports.format,
    scopes: ['*'],
    createdAt,
    expiresAt,
    networks: null,
    replaces: null,
  });
  return { ...minted, expiresAt };
}

/**
 * Stores the token if the user, the password and the key have not changed since they were read. Revokes the user's
 * oldest sign-in tokens if there are more than `MAX_LIVE_SIGN_INS`.
 */
async function insert(
  ports: SignInPorts,
  record: Token,
  { user, passwordHash }: Credentials,
  origin: string,
  isRetry: boolean,
): Promise<Result<void, SignInInsertRefusal>> {
  const event = { ...tokenCreated(record), actor: { kind: 'user', id: user.id } as const, origin };
  // On the second try, the key was read a moment ago and need not be active: if another key has become active since
  // then, servers still accept tokens of the key that was read.
  const guard = { verifiedHash: passwordHash, needsActiveKey: !isRetry, keep: MAX_LIVE_SIGN_INS };
  const stored = await ports.tokens.insertSignIn(record, guard, event);
  if (!stored.ok) return stored;
  if (stored.value.isSurplus) {
    const bound = { userId: user.id, keep: MAX_LIVE_SIGN_INS, limit: ENDED_AT_ONCE };
    const reason = `the user has ${MAX_LIVE_SIGN_INS} newer sign-ins`;
    await ports.tokens.endOldestSignIns(bound, { at: event.at, by: event.actor, reason }, event);
  }
  return ok(undefined);
}

/**
 * Whether the password hash, the key or the rules were replaced after they were read. If so, a second try may succeed.
 */
const isOutdated = ({ code }: SignInInsertRefusal) =>
  code === 'password_changed' || code === 'key_not_usable' || code === 'lifetime_not_allowed';

/**
 * Returns the error of a sign-in whose token was not stored. Unless the key was the reason, the user was disabled, the
 * account was suspended, or the password was changed during the verification.
 */
function refusalOf({ code }: SignInInsertRefusal, format: TokenFormat): SignInError {
  return code === 'key_not_usable' ? { code: 'no_active_key', format } : { code: 'credentials_not_accepted' };
}
