import type { Brand } from '../identifiers.ts';
import { type InvalidInput, invalid, ok, type Result } from '../result.ts';

/** An email address as its owner spells it. */
export type Email = Brand<string, 'Email'>;

/** An email address in the form that is compared, which ignores case. */
export type EmailKey = Brand<string, 'EmailKey'>;

/** RFC 5321 section 4.5.3.1 allows 64 characters before the @ and 255 after it. */
export const EMAIL_MAX_LENGTH = 320;

/** Parses an address: one @ with text on both sides, no white space or control characters. */
export function parseEmail(text: string): Result<Email, InvalidInput> {
  const wellFormed = text.length <= EMAIL_MAX_LENGTH && text.isWellFormed();
  if (wellFormed && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text)) return ok(text as Email);
  return invalid('email', 'must be an address such as ada@acme.example');
}

/** Accepts any text, so that a sign-in does not have to validate the address. */
export function emailKey(text: string): EmailKey {
  return text.normalize('NFC').toLowerCase() as EmailKey;
}
