import type { Brand } from '../identifiers.ts';
import { parseUuid } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';

/** A lower-case UUID of version 7, so that ids sort by age. */
export type CredentialId = Brand<string, 'CredentialId'>;

/**
 * The secret with which a service proves what it is: `ghs_` and 256 random bits as base64url. It is not a token, so no
 * program that verifies tokens by their signature can accept it as one.
 */
export type CredentialSecret = Brand<string, 'CredentialSecret'>;

/** The SHA-256 of a secret in lower-case hexadecimal. A fast hash is enough, because 256 random bits cannot be guessed. */
export type CredentialHash = Brand<string, 'CredentialHash'>;

/** The stored part of a credential. The secret itself is shown once and never stored. */
export interface ServiceCredential {
  readonly id: CredentialId;
  readonly hash: CredentialHash;
  readonly createdAt: Instant;
  /** The time from which the credential is refused; null if it never expires. */
  readonly expiresAt: Instant | null;
  /** The time at which the credential was revoked; null if it was not. */
  readonly revokedAt: Instant | null;
  /** The credential that replaces this one after a rotation; null if it was not rotated. */
  readonly replacedBy: CredentialId | null;
}

/** Parses a secret as a service sends it. */
export function parseCredentialSecret(text: string): CredentialSecret | undefined {
  return /^ghs_[\w-]{43}$/.test(text) ? (text as CredentialSecret) : undefined;
}

export const parseCredentialId = parseUuid<CredentialId>;

/** Whether the credential is neither revoked nor expired. */
export function isAccepted({ revokedAt, expiresAt }: ServiceCredential, now: Instant): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

/** `active`: the credential is accepted. The other states say why it is not. */
export type CredentialState = 'active' | 'expired' | 'revoked';

export function credentialState(credential: ServiceCredential, now: Instant): CredentialState {
  if (credential.revokedAt !== null) return 'revoked';
  return isAccepted(credential, now) ? 'active' : 'expired';
}

/** Creates the ids and secrets of credentials, and hashes secrets. Implementations pass `credentialSecretsContract`. */
export interface CredentialSecrets {
  create(): { readonly id: CredentialId; readonly secret: CredentialSecret };
  hashOf(secret: CredentialSecret): CredentialHash;
}
