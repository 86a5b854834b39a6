import { type InvalidInput, invalid, ok, type Result } from '../result.ts';
import { isStorable } from '../text.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import type { Email } from './email.ts';

export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 1024;

/**
 * Validates a new password: long enough, not common, not derived from the email. There are no composition rules
 * (NIST SP 800-63B-4 section 3.1.1.2). The password is not changed.
 */
export function checkPassword(password: string, email: Email): Result<string, InvalidInput> {
  const message = problemWith(password, email);
  return message === undefined ? ok(password) : invalid('password', message);
}

function problemWith(password: string, email: Email): string | undefined {
  const characters = [...password].length;
  if (characters < PASSWORD_MIN_LENGTH || characters > PASSWORD_MAX_LENGTH) {
    return `must be ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters long`;
  }
  if (!isStorable(password)) return 'must not hold U+0000 or lone surrogates';
  const folded = password.toLowerCase();
  if (isCommon(folded)) return 'is one that many people choose; choose another, several words for example';
  const localPart = email.slice(0, email.indexOf('@')).toLowerCase();
  if (localPart.length >= 4 && folded.includes(localPart))
    return 'must not contain the name in the email address';
  return undefined;
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
