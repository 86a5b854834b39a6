import { normalize } from '../text.ts';

/** Of which form of a password a hash was made: of the password as it was typed, or of its `normalPassword`. */
export type PasswordForm = 'as-typed' | 'normal';

/**
 * The form of a password that is hashed, by the profile OpaqueString (RFC 8265 section 4.2.2): any space becomes U+0020, and
 * letters are composed (NFC). So a keyboard that sends a letter and its accent apart types the same password. Nothing else
 * changes: no case, no width, and no space is trimmed.
 */
export function normalPassword(text: string): string {
  return normalize(text.replaceAll(/\p{Zs}/gu, ' '), 'NFC');
}

/** In characters, that is code points. */
export const PASSWORD_MAX_LENGTH = 1024;

/**
 * Whether a password is longer than any that can be set. Characters of the normal form count, or those typed if they are
 * fewer: a password that older versions stored as typed can be too long only in its normal form.
 */
export function isPasswordTooLong(typed: string): boolean {
  return [normalPassword(typed), typed].every((text) => [...text].length > PASSWORD_MAX_LENGTH);
}
