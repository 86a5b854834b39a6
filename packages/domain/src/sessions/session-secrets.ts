import type { Brand } from '../identifiers.ts';
import type { SessionId } from './session.ts';

/** The proof of a session: 256 random bits as base64url. Only the browser has it. */
export type SessionSecret = Brand<string, 'SessionSecret'>;

/** The SHA-256 of a secret in lower-case hexadecimal. A fast hash is enough to hide a secret with so much entropy. */
export type SessionSecretHash = Brand<string, 'SessionSecretHash'>;

/**
 * 256 random bits of a session in lower-case hexadecimal. Servers use this key to authenticate the contents of their forms. The
 * key is in the database and in no response, so users cannot forge forms for themselves. The key stays the same when the secret
 * of the session is replaced.
 */
export type SessionFormKey = Brand<string, 'SessionFormKey'>;

/** Parses a secret as a browser sends it: 32 bytes as base64url without padding. */
export function parseSessionSecret(text: string): SessionSecret | undefined {
  return /^[\w-]{43}$/.test(text) ? (text as SessionSecret) : undefined;
}

/** Replaces one secret by another, if the first is still the session's secret. */
export interface SecretRenewal {
  readonly from: SessionSecretHash;
  readonly to: SessionSecretHash;
}

/**
 * Creates the ids, secrets and form keys of sessions, and hashes secrets.
 * Implementations pass `sessionSecretsContract`.
 */
export interface SessionSecrets {
  /** A new id, a new secret and a new form key. None can be derived from the others. */
  create(): { readonly id: SessionId; readonly secret: SessionSecret; readonly formKey: SessionFormKey };

  /** A new secret for an existing session. */
  createSecret(): SessionSecret;

  hashOf(secret: SessionSecret): SessionSecretHash;
}
