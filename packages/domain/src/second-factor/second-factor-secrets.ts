import type { Brand } from '../identifiers.ts';
import type { RecoveryCode, RecoveryCodeHash } from './recovery-code.ts';

/** The proof that a browser has given the right password: 256 random bits as base64url. Only the browser has it. */
export type PendingSecret = Brand<string, 'PendingSecret'>;

/** The SHA-256 of a pending secret in lower-case hexadecimal. */
export type PendingSecretHash = Brand<string, 'PendingSecretHash'>;

/** Parses a pending secret as a browser sends it: 32 bytes as base64url without padding. */
export function parsePendingSecret(text: string): PendingSecret | undefined {
  return /^[\w-]{43}$/.test(text) ? (text as PendingSecret) : undefined;
}

/** Creates the secrets of second factors, and computes codes and hashes. Implementations pass `secondFactorSecretsContract`. */
export interface SecondFactorSecrets {
  /** Creates a random secret of `TOTP_SECRET_BYTES`. */
  createSecret(): Uint8Array;

  /** Returns the code of a step (RFC 6238, with SHA-1 and 6 digits). */
  codeOf(secret: Uint8Array, step: number): string;

  /** Creates `RECOVERY_CODES` different random codes. */
  createRecoveryCodes(): readonly RecoveryCode[];

  hashOfRecoveryCode(code: RecoveryCode): RecoveryCodeHash;

  createPending(): PendingSecret;

  hashOfPending(secret: PendingSecret): PendingSecretHash;
}
