import { type Instant, parseInstant } from '../time/instant.ts';

/** The longest pause that a receiver can ask for, in milliseconds: 12 hours. */
export const MAX_RETRY_AFTER_MS = 12 * 3_600_000;

/**
 * Reads the header `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date. Returns milliseconds, at most
 * `MAX_RETRY_AFTER_MS`; undefined if there is no header that can be read.
 */
export function retryAfterMs(text: string | undefined, now: Instant): number | undefined {
  if (text === undefined) return undefined;
  const date = parseHttpDate(text);
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : date && date - now;
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/;

/** Parses a date of HTTP in the one spelling that senders may use (RFC 9110 section 5.6.7). */
function parseHttpDate(text: string): Instant | undefined {
  const [, day, name = '', year, time] = HTTP_DATE.exec(text) ?? [];
  const month = `${MONTHS.indexOf(name) + 1}`.padStart(2, '0');
  return parseInstant(`${year}-${month}-${day}T${time}Z`);
}
