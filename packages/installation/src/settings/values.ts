import { z } from 'zod';

/** Schemas of settings. Each message says what is expected, and none repeats the value. */

export const text = (message: string, isRight: (text: string) => boolean) =>
  z.string().refine(isRight, message);

/** A whole number in decimal digits, with or without leading zeros: `007` is 7. */
export function wholeNumber(least: number, most: number, because?: string) {
  const isRight = (digits: string) => /^0*\d{1,9}$/.test(digits) && +digits >= least && +digits <= most;
  const range = `must be a whole number from ${least} to ${most}`;
  return text(because ? `${range}: ${because}` : range, isRight).transform(Number);
}

export const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** A name, such as that of a host or an issuer. */
export const name = text(
  'must be 1 to 200 bytes of UTF-8 without control characters',
  (written) => /^\P{Cc}+$/u.test(written) && written.isWellFormed() && Buffer.byteLength(written) <= 200,
);
