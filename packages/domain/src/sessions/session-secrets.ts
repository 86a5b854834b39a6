import type { Brand } from '../identifiers.ts';
import type { SessionId } from './session.ts';

/** The proof of a session: 256 random bits as base64url. Only the browser has it. */
export type SessionSecret = Brand<string, 'SessionSecret'>;

/**
 * The SHA-256 of a secret in lower-case hexadecimal. A fast hash is enough, because a secret of 256 random bits cannot
 * be guessed.
 */
export type SessionSecretHash = Brand<string, 'SessionSecretHash'>;

/**
 * 256 random bits in lower-case hexadecimal, which belong to one session. Servers use this key to authenticate the
 * contents of the session's forms. The key is stored in the database and is never sent to the browser, so a user cannot
 * forge the contents of a form. The key stays the same when the secret of the session is replaced.
 */
export type SessionFormKey = Brand<string, 'SessionFormKey'>;

/** Parses a secret as a browser sends it: 32 bytes as base64url without padding. */
export function parseSessionSecret(text: string): SessionSecret | undefined {
  return /^[\w-]{43}$/.test(text) ? (text as SessionSecret) : undefined;
}

/**
 * The hashes of a session's secret (`from`) and of the secret that replaces it (`to`). If `from` is no longer the
 * current secret, nothing is replaced.
 */
export interface SecretRenewal {
  readonly from: SessionSecretHash;
  readonly to: SessionSecretHash;
}

/**
 * Creates the ids, secrets and form keys of sessions, and hashes secrets.
 * Implementations pass `sessionSecretsContract`.
 */
export interface SessionSecrets {
  /** Creates a new id, a new secret and a new form key. None of the three can be computed from the other two. */
  create(): { readonly id: SessionId; readonly secret: SessionSecret; readonly formKey: SessionFormKey };

  /** Creates a new secret for an existing session. */
  createSecret(): SessionSecret;

  hashOf(secret: SessionSecret): SessionSecretHash;
}
