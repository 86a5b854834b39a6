import type { SecondFactorPaused } from '@gatehouse/domain/second-factor';
import type { Header } from '@gatehouse/http';
import type { FieldError } from '../elements/form.ts';
import { waitInWords } from './wait-in-words.ts';

/** The field of the code of a second factor. A recovery code takes its place, so the field takes letters, too. */
export const CODE_FIELD = {
  label: 'Code',
  hint: 'The 6 digits that your authenticator app shows, or a recovery code.',
  type: 'code',
  autocomplete: 'one-time-code',
  isRequired: true,
  maxLength: 40,
} as const;

export const CODE_MISSING: FieldError = { field: 'code', message: 'is required' };

export const CODE_WRONG: FieldError = {
  field: 'code',
  message: 'The code is wrong or was used before. Wait for the next code of your app.',
};

/** The answer after too many wrong codes: the status, the text, and the header that says how long to wait. */
export function codePause({ retryAfterSeconds: seconds }: SecondFactorPaused) {
  const text = `Too many wrong codes. Try again in ${waitInWords(seconds)}.`;
  const headers: readonly Header[] = [['retry-after', String(seconds)]];
  return { status: 429, text, headers };
}
