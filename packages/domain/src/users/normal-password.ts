import { normalize } from '../text.ts';

/** The form in which a password was hashed: as the user typed it, or in the form that `normalPassword` returns. */
export type PasswordForm = 'as-typed' | 'normal';

/**
 * Returns the normal form of a password, which is the form that is hashed. It is defined by the profile OpaqueString
 * (RFC 8265 section 4.2.2): every kind of space becomes U+0020, and a letter and its accent become one character (NFC).
 * So a password is the same on keyboards that send the letter and the accent separately. Case and character width do
 * not change, and spaces at the ends are kept.
 */
export function normalPassword(text: string): string {
  return normalize(text.replaceAll(/\p{Zs}/gu, ' '), 'NFC');
}

/** The maximum length of a password in characters (code points). */
export const PASSWORD_MAX_LENGTH = 1024;

/**
 * Whether a password is longer than any stored password can be. A password is too long only if both its normal form and
 * its typed form are too long. Older versions stored the typed form of a password, whose normal form may be longer.
 */
export function isPasswordTooLong(typed: string): boolean {
  return [normalPassword(typed), typed].every((text) => [...text].length > PASSWORD_MAX_LENGTH);
}
