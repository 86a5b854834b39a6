import type { Brand } from '../identifiers.ts';
import type { LinkCodeHash } from '../links/link-code.ts';
import type { SessionId } from '../sessions/session.ts';
import type { Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { ProviderId } from './provider.ts';

/** The value of the attempt cookie: 256 random bits as base64url. Several attempts of a browser share it. */
export type AttemptSecret = Brand<string, 'AttemptSecret'>;

/** The parameter `state` of one attempt: 256 random bits as base64url. */
export type AttemptState = Brand<string, 'AttemptState'>;

/** The SHA-256 of a secret or of a state in lower-case hexadecimal. */
export type AttemptHash = Brand<string, 'AttemptHash'>;

/** An attempt can be completed for 10 minutes, in milliseconds. */
export const ATTEMPT_MS = 10 * 60_000;

/** Parses 32 bytes as base64url without padding, as a browser or a provider sends them. */
const parse = (text: string) => (/^[\w-]{43}$/.test(text) ? text : undefined);

export const parseAttemptSecret = (text: string) => parse(text) as AttemptSecret | undefined;
export const parseAttemptState = (text: string) => parse(text) as AttemptState | undefined;

/**
 * The purpose of an attempt: to sign in; to link the person at the provider to the user of a session; to accept an
 * invitation; or to prove again who uses a session, before a token is made.
 */
export type AttemptPurpose =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'link' | 'confirm'; readonly userId: UserId; readonly sessionId: SessionId }
  | { readonly kind: 'invitation'; readonly codeHash: LinkCodeHash };

/** A sign-in that has begun. It contains no secret: only the browser and the provider know the state. */
export interface Attempt {
  readonly stateHash: AttemptHash;
  /** The hash of the browser's attempt cookie. */
  readonly browserHash: AttemptHash;
  readonly provider: ProviderId;
  readonly purpose: AttemptPurpose;
  /** The page that follows, as the caller named it; null for none. */
  readonly next: string | null;
  readonly createdAt: Instant;
}

/**
 * Creates the secrets of attempts and derives others from them, so that no server has to store any.
 * Implementations pass `attemptSecretsContract`.
 */
export interface AttemptSecrets {
  createSecret(): AttemptSecret;
  createState(): AttemptState;
  hashOf(value: AttemptSecret | AttemptState): AttemptHash;
  /**
   * Derives the nonce and the `code_verifier` (RFC 7636) of an attempt, each 256 bits as base64url. Neither can be
   * computed without the secret, and the same secret and state always give the same values.
   */
  derive(
    secret: AttemptSecret,
    state: AttemptState,
  ): { readonly nonce: string; readonly codeVerifier: string };
}

/** Stores the attempts that have begun. Implementations pass `attemptRepositoryContract`. */
export interface AttemptRepository {
  insert(attempt: Attempt): Promise<void>;

  /** Deletes the attempt and returns it, even if it is too old. Of several calls with one state, one gets it. */
  take(stateHash: AttemptHash): Promise<Attempt | undefined>;

  /** Deletes up to `limit` attempts that began before this time, and returns their number. */
  sweep(options: { readonly createdBefore: Instant; readonly limit: number }): Promise<number>;
}
