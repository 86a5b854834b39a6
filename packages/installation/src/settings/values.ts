import { isIP, isIPv6 } from 'node:net';
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

/** An IPv6 address that is written in brackets, as in URLs, without them. */
export function withoutBrackets(written: string): string {
  const inBrackets = /^\[(.*)\]$/.exec(written)?.[1] ?? '';
  return isIPv6(inBrackets) ? inBrackets : written;
}

/** Where to listen, as Node takes it. */
export const host = z.string().transform((written, context) => {
  const address = withoutBrackets(written.trim());
  if (isIP(address) !== 0 || HOST_NAME.test(address)) return address;
  context.addIssue({
    code: 'custom',
    message:
      'must be an IP address or a host name of this machine, such as 127.0.0.1, ::1 or localhost, without a port; 0.0.0.0 and :: are all of its addresses',
  });
  return z.NEVER;
});

/** No port, path, quote or pattern. */
const HOST_NAME = /^(?=.{1,200}$)[^\s\p{Cc}:/?#@*'"[\]\\,]+$/u;
