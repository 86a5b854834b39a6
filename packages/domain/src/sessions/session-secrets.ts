import type { Brand } from '../identifiers.ts';
import type { SessionId } from './session.ts';

/** What proves a session: 256 random bits as base64url. Only the browser has it. */
export type SessionSecret = Brand<string, 'SessionSecret'>;

/** The SHA-256 of a secret in lower-case hexadecimal. The secret has so much entropy that a fast hash hides it. */
export type SessionSecretHash = Brand<string, 'SessionSecretHash'>;

/** Parses a secret as a browser sends it: 32 bytes as base64url without padding. */
export function parseSessionSecret(text: string): SessionSecret | undefined {
  return /^[\w-]{43}$/.test(text) ? (text as SessionSecret) : undefined;
}

/**
 * Creates the ids and secrets of sessions, and hashes secrets.
 * Implementations pass `sessionSecretsContract`.
 */
export interface SessionSecrets {
  /** A new id and a new secret, neither of which can be derived from the other. */
  create(): { readonly id: SessionId; readonly secret: SessionSecret };

  hashOf(secret: SessionSecret): SessionSecretHash;
}
