import { type InvalidInput, invalid, ok, type Result } from '../result.ts';
import { normalize } from '../text.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import type { Email } from './email.ts';
import { normalPassword, PASSWORD_MAX_LENGTH } from './normal-password.ts';

export const PASSWORD_MIN_LENGTH = 12;

/**
 * Validates a new password, and returns its normal form. The password must be long enough and not common. It must not
 * contain the name in the email address. The length is the number of code points of the normal form. No mixture of
 * characters, such as letters and digits, is required (NIST SP 800-63B-4 section 3.1.1.2).
 */
export function checkPassword(typed: string, email: Email): Result<string, InvalidInput> {
  const password = normalPassword(typed);
  const message = problemWith(password, email);
  return message === undefined ? ok(password) : invalid('password', message);
}

function problemWith(password: string, email: Email): string | undefined {
  const untypable = UNTYPABLE.exec(password)?.[0];
  if (untypable !== undefined) return `must not hold ${codeOf(untypable)}: ${whyUntypable(untypable)}`;
  const characters = [...password].length;
  if (characters < PASSWORD_MIN_LENGTH || characters > PASSWORD_MAX_LENGTH) {
    return `must be ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters long`;
  }
  const folded = password.toLowerCase();
  if (isCommon(folded)) return 'is one that many people choose; choose another, several words for example';
  const localPart = normalize(email.slice(0, email.indexOf('@')).toLowerCase(), 'NFC');
  if (localPart.length >= 4 && folded.includes(localPart))
    return 'must not contain the name in the email address';
  return undefined;
}

/**
 * The characters that a password must not contain. The string class FreeformClass (RFC 8264 section 4.3) excludes them:
 * control characters, line and paragraph separators, invisible characters, and unassigned characters, whose normal form
 * may change. Unlike in that class, characters that join letters and emoji or select their form are allowed, because
 * keyboards send them automatically.
 */
const UNTYPABLE =
  /[[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}]]/v;

const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function whyUntypable(character: string): string {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(character))
    return 'it is a control character, such as a tab or the end of a line';
  return 'it is invisible, or means something else on other systems';
}

/** Words that are commonly extended with digits and signs to reach the minimum length. */
const COMMON_WORDS = new Set(
  `abc abcd admin administrator asdf asdfgh asdfghjkl baseball changeme changeit dragon factory football gatehouse
  hello iloveyou letmein login master monkey p@ssw0rd pass passw0rd password princess qwer qwert qwerty qwertyuiop
  qwertz root secret shadow sunshine superman test trustno1 welcome zxcvbn zxcvbnm`.split(/\s+/),
);

const RUNS = `01234567890123456789 98765432109876543210 abcdefghijklmnopqrstuvwxyz
  qwertyuiopasdfghjklzxcvbnm`.split(/\s+/);

function isCommon(folded: string): boolean {
  if (COMMON_PASSWORDS.has(folded)) return true;
  if (RUNS.some((run) => run.includes(folded))) return true;
  if (/^(.{1,6})\1+$/su.test(folded)) return true;
  return (
    COMMON_WORDS.has(folded.replace(/[^\p{L}]+$/u, '')) ||
    COMMON_WORDS.has(folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
  );
}
