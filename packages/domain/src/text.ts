import { type InvalidInput, invalid, ok, type Result } from './result.ts';
import { SECRET } from './secrets-in-text.ts';

const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Whether a text can be stored: PostgreSQL refuses U+0000, and UTF-8 has no lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/**
 * Normalizes a text. If the text has more than 30 combining marks in a row, returns it unchanged: no language needs
 * more marks (Unicode Standard Annex #15, Stream-Safe Text Format), and the time to normalize them grows with the
 * square of their number.
 */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return /\p{M}{31}/u.test(text) ? text : text.normalize(form);
}

/** Texts are kept in the audit log, which nothing is deleted from, and are shown to others. */
const WITHOUT_SECRETS = 'must not contain a token or a code';

/**
 * Validates a text of at most `most` characters, which may have several lines. Refuses a text that contains a token, a
 * credential or the code of a link, such as the reason "leaked: v4.public.…".
 */
export function checkText(field: string, text: string, most: number): Result<string, InvalidInput> {
  if (text.length > most || !isStorable(text))
    return invalid(field, `must be at most ${most} characters long, without U+0000 and lone surrogates`);
  return SECRET.test(text) ? invalid(field, WITHOUT_SECRETS) : ok(text);
}

/**
 * Validates a display name: 1 to 200 characters, no control characters, no leading or trailing space. Refuses a name
 * that contains a token or a code, as `checkText` does.
 */
export function checkName(field: string, text: string): Result<string, InvalidInput> {
  const checked = checkStoredName(field, text);
  return checked.ok && SECRET.test(text) ? invalid(field, WITHOUT_SECRETS) : checked;
}

/**
 * Validates a name that may have been stored by an earlier version, such as that of a cursor: `checkName` without the
 * secrets.
 */
export function checkStoredName(field: string, text: string): Result<string, InvalidInput> {
  if (text.length < 1 || text.length > 200) return invalid(field, 'must be 1 to 200 characters long');
  if (text.trim() !== text) return invalid(field, 'must not begin or end with a space');
  if (CONTROL.test(text) || !isStorable(text)) {
    return invalid(field, 'must not hold control characters or lone surrogates');
  }
  return ok(text);
}
