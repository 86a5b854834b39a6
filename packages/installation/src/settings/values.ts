import { isIP, isIPv6 } from 'node:net';
import { err, ok, type Result } from '@gatehouse/domain';
import { formatDuration, parseDuration } from '@gatehouse/domain/time';

/**
 * Parses the text of a setting. The error continues a sentence that begins with the setting's name. It never repeats
 * the text, which may be a secret.
 */
type ParseText<T> = (text: string) => Result<T, string>;

export interface Setting<T> {
  readonly parse: ParseText<T>;
  /** The form that a text must have, for the table of settings. Ends a sentence that begins with "must be". */
  readonly form: string;
  /** The value of the setting if its variable is not set. */
  readonly unset: T;
  /** Writes a value as the variable would have it, for the table of settings. */
  print(value: T): string;
}

/**
 * Creates a kind of setting from the form of its text and its parser. `optional` and `default` create a setting of this
 * kind. Settings are parsed by plain functions, because loading a schema library takes longer than a command that reads
 * a row.
 */
export function setting<T>(form: string, parse: ParseText<T>, print: (value: T) => string = String) {
  return {
    parse,
    optional: (): Setting<T | undefined> => ({
      parse,
      form,
      unset: undefined,
      print: (value) => (value === undefined ? '' : print(value)),
    }),
    default: (value: T): Setting<T> => ({ parse, form, unset: value, print }),
  };
}

/** Creates a kind of setting whose value is the text itself. */
export const text = (form: string, isRight: (text: string) => boolean) =>
  setting(form, (written) => (isRight(written) ? ok(written) : err(`must be ${form}`)));

/**
 * A whole number from `least` to `most`, in decimal digits. Leading zeros are ignored: `007` is 7. `because` explains
 * the limits in the message.
 */
export function wholeNumber(least: number, most: number, because?: string) {
  const isRight = (digits: string) => /^0*\d{1,9}$/.test(digits) && +digits >= least && +digits <= most;
  const range = `a whole number from ${least} to ${most}`;
  const message = because ? `must be ${range}: ${because}` : `must be ${range}`;
  return setting(range, (written) => (isRight(written) ? ok(Number(written)) : err(message)));
}

export function oneOf<const T extends string>(...values: readonly T[]) {
  const form = `one of ${values.join(', ')}`;
  return setting(form, (written) => {
    const value = values.find((each) => each === written);
    return value === undefined ? err(`must be ${form}`) : ok(value);
  });
}

/** A name, such as the name of a host or an issuer. */
export const name = text(
  '1 to 200 bytes of UTF-8 without control characters',
  (written) => /^\P{Cc}+$/u.test(written) && written.isWellFormed() && Buffer.byteLength(written) <= 200,
);

/** The name of a file or folder. */
export const path = setting('a path', (written) => ok(written));

/** Removes the brackets around an IPv6 address, as it is written in URLs. Returns any other text unchanged. */
export function withoutBrackets(written: string): string {
  const inBrackets = /^\[(.*)\]$/.exec(written)?.[1] ?? '';
  return isIPv6(inBrackets) ? inBrackets : written;
}

/**
 * An IP address or a host name to listen on. Brackets around an IPv6 address are removed, because Node does not accept
 * them.
 */
export const host = setting('an IP address or a host name, without a port', (written) => {
  const address = withoutBrackets(written.trim());
  return isIP(address) !== 0 || HOST_NAME.test(address)
    ? ok(address)
    : err(
        'must be an IP address or a host name of this machine, such as 127.0.0.1, ::1 or localhost, without a port; 0.0.0.0 and :: mean all addresses of this machine',
      );
});

/** Matches a host name, without a port, a path, quotes or wildcards. */
const HOST_NAME = /^(?=.{1,200}$)[^\s\p{Cc}:/?#@*'"[\]\\,]+$/u;

/** A setting that is written as a duration of at most `most`, such as `15m`. Its value is in milliseconds. */
export function duration(most: string) {
  const limit = parseDuration(most) ?? 0;
  return setting(
    `a duration of at most ${most}`,
    (written) => {
      const milliseconds = parseDuration(written);
      return milliseconds !== undefined && milliseconds <= limit
        ? ok(milliseconds)
        : err(`must be a duration such as 90s, 15m, 12h, 30d or 4w, and at most ${most}`);
    },
    formatDuration,
  );
}
