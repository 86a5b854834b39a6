import type { Brand } from '../identifiers.ts';
import { type InvalidInput, invalid, ok, type Result } from '../result.ts';
import { normalize } from '../text.ts';

/** An email address as its owner spells it. */
export type Email = Brand<string, 'Email'>;

/** An email address in the form for comparison. */
export type EmailKey = Brand<string, 'EmailKey'>;

/** RFC 5321 section 4.5.3.1 allows 64 characters before the @ and 255 after it. */
export const EMAIL_MAX_LENGTH = 320;

/** Parses an address: one @ with text on both sides, no white space or control characters. */
export function parseEmail(text: string): Result<Email, InvalidInput> {
  const wellFormed = text.length <= EMAIL_MAX_LENGTH && text.isWellFormed();
  if (wellFormed && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text)) return ok(text as Email);
  return invalid('email', 'must be an address such as ada@acme.example');
}

/**
 * Returns the form in which addresses are compared, regardless of case, normal form and width. It is stable: a key, another
 * normal form of the text, and its upper or lower case have the same key. It folds twice, like compatibility caseless
 * matching (Unicode 17, definition D146), by both mappings of case: folding would separate the dotless i from its own upper
 * case.
 *
 * Accepts any text, so that a sign-in does not have to validate the address.
 */
export function emailKey(text: string): EmailKey {
  const once = fold(normalize(text, 'NFD'));
  return normalize(fold(once), 'NFKC') as EmailKey;
}

/** Ignores case letter by letter: a sigma at the end of a word equals any other sigma. */
function fold(text: string): string {
  return normalize(text.toUpperCase().toLowerCase().replaceAll('\u03c2', '\u03c3'), 'NFKD');
}

/**
 * Returns the key that older versions stored, before `emailKey` was stable. A user keeps this key if another user has the same
 * `emailKey`, or if a server of an older version created the user during an upgrade. `findByEmail` finds both users by this
 * key.
 */
export function formerEmailKey(text: string): EmailKey {
  return normalize(text, 'NFC').toLowerCase() as EmailKey;
}
