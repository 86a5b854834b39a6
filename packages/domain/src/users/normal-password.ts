import { normalize } from '../text.ts';

/** The form of a hashed password: as it was typed, or its `normalPassword`. */
export type PasswordForm = 'as-typed' | 'normal';

/**
 * Returns the form of a password that is hashed, by the profile OpaqueString (RFC 8265 section 4.2.2): any space becomes
 * U+0020, and letters are composed (NFC). So keyboards that send a letter and its accent separately type the same password.
 * Case and width stay, and no space is trimmed.
 */
export function normalPassword(text: string): string {
  return normalize(text.replaceAll(/\p{Zs}/gu, ' '), 'NFC');
}

/** The maximum length of a password in characters (code points). */
export const PASSWORD_MAX_LENGTH = 1024;

/**
 * Whether a password is too long to be set. Counts the characters of the normal form, or the typed characters if these are
 * fewer, because older versions stored passwords as typed: the normal form of such a password may be too long.
 */
export function isPasswordTooLong(typed: string): boolean {
  return [normalPassword(typed), typed].every((text) => [...text].length > PASSWORD_MAX_LENGTH);
}
