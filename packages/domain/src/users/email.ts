import type { Brand } from '../identifiers.ts';
import { type InvalidInput, invalid, ok, type Result } from '../result.ts';
import { normalize } from '../text.ts';
import { SERVICE_DOMAIN } from './service-accounts/service-account.ts';

/** An email address as its owner spells it. */
export type Email = Brand<string, 'Email'>;

/** The form of an email address that is used to compare addresses. `emailKey` returns it. */
export type EmailKey = Brand<string, 'EmailKey'>;

/** 64 characters before the @, the @ itself, and 255 characters after the @ (RFC 5321 section 4.5.3.1). */
export const EMAIL_MAX_LENGTH = 320;

/**
 * Parses an email address. It must have one @ with text on both sides, and no white space, control characters or
 * invisible characters. With these, two addresses could look the same. An address of `SERVICE_DOMAIN` is refused,
 * because it would look like a service account.
 */
export function parseEmail(text: string): Result<Email, InvalidInput> {
  const wellFormed = text.length <= EMAIL_MAX_LENGTH && text.isWellFormed();
  if (emailKey(wellFormed ? text : '').endsWith(`@${SERVICE_DOMAIN}`))
    return invalid('email', `must not end with @${SERVICE_DOMAIN}, which stands for service accounts`);
  if (
    wellFormed &&
    /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}]+@[^\s@\p{C}\p{Default_Ignorable_Code_Point}]+$/u.test(text)
  )
    return ok(text as Email);
  return invalid('email', 'must be an address such as ada@acme.example');
}

/**
 * Returns the key that is used to compare addresses, regardless of case, Unicode normal form and character width. A key
 * has itself as its key. All normal forms of a text, its upper case and its lower case have the same key. Case is
 * folded twice, like in compatibility caseless matching (Unicode 17, definition D146), but each time to upper case and
 * then to lower case. The standard folding would give the dotless i another key than its own upper case.
 *
 * Accepts any text, so that a sign-in does not have to validate the address.
 */
export function emailKey(text: string): EmailKey {
  const once = fold(normalize(text, 'NFD'));
  return normalize(fold(once), 'NFKC') as EmailKey;
}

/** Removes differences of case from each letter. The form of sigma for the end of a word becomes the usual sigma. */
function fold(text: string): string {
  return normalize(text.toUpperCase().toLowerCase().replaceAll('\u03c2', '\u03c3'), 'NFKD');
}

/**
 * Returns the key that older versions of Gatehouse stored for an address. A user keeps this key if another user has the
 * same `emailKey`, or if a server of an older version created the user during an upgrade. `findByEmail` finds such
 * users by this key.
 */
export function formerEmailKey(text: string): EmailKey {
  return normalize(text, 'NFC').toLowerCase() as EmailKey;
}
