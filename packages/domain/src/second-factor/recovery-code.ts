import type { Brand } from '../identifiers.ts';

/** The number of recovery codes that a user gets. */
export const RECOVERY_CODES = 10;

/** The characters of recovery codes: base32 of Crockford, without letters that look like a digit or like each other. */
export const RECOVERY_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The number of characters of a recovery code. Each has 5 random bits, so that a code has 120. */
export const RECOVERY_LENGTH = 24;

/** A code that replaces one code of the app: 120 random bits. It is shown once. */
export type RecoveryCode = Brand<string, 'RecoveryCode'>;

/**
 * The SHA-256 of a recovery code in lower-case hexadecimal. A fast hash is enough from 112 random bits on (OWASP ASVS 5,
 * 6.5.2).
 */
export type RecoveryCodeHash = Brand<string, 'RecoveryCodeHash'>;

/** Parses a recovery code as a person types it: in upper or lower case, with or without hyphens. */
export function parseRecoveryCode(text: string): RecoveryCode | undefined {
  const read = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const isCode =
    read.length === RECOVERY_LENGTH && [...read].every((each) => RECOVERY_ALPHABET.includes(each));
  return isCode ? (read as RecoveryCode) : undefined;
}

/** Writes a recovery code in groups of four characters. */
export const formatRecoveryCode = (code: RecoveryCode): string => code.match(/.{4}/g)?.join('-') ?? code;
