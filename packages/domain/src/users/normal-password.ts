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
