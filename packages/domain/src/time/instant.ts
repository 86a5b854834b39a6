import type { Brand } from '../identifiers.ts';

const DAY = 86_400_000;

/** A time in whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Brand<number, 'Instant'>;

const EARLIEST_INSTANT = -62_167_219_200_000;

/** 0001-01-01T00:00:00Z, the earliest result of `addMilliseconds`, because PostgreSQL has no year 0. */
const MIN_INSTANT = -62_135_596_800_000;

/** The last instant that RFC 3339 can represent: 9999-12-31T23:59:59.999Z. */
export const LAST_INSTANT = 253_402_300_799_999 as Instant;

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/** Parses an RFC 3339 date-time with any offset. Leap seconds are allowed. Digits below a millisecond are dropped. */
export function parseInstant(text: string): Instant | undefined {
  // Without the flag `u`, `i` folds only ASCII and `\d` is only 0-9, as RFC 3339 section 5.6 requires.
  const parts = RFC_3339.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHour, offsetMinute] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3)));
  const direction = parts[8] === '-' ? 1 : -1;
  const instant = date.getTime() + direction * (offsetHour * 60 + offsetMinute) * 60_000;
  // A leap second is the last second of a UTC day. It counts as the first second of the next day.
  if (second === 60 && Math.floor(instant / 1000) % 86_400 !== 0) return undefined;
  // With an offset, the time may be outside the years that RFC 3339 can represent.
  if (instant < EARLIEST_INSTANT || instant > LAST_INSTANT) return undefined;
  return instant as Instant;
}

/** Parses a date such as `2026-12-01` to the beginning of that day in UTC. */
export function parseDate(text: string): Instant | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;
}

/** Returns the end of a day such as `2027-01-31` in UTC; undefined if the text is not a date. */
export function endOfDay(text: string): Instant | undefined {
  const start = parseDate(text);
  return start === undefined ? undefined : addMilliseconds(start, DAY);
}

/** Formats an instant as RFC 3339 in UTC with milliseconds. */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** Formats an instant like `formatInstant`; returns null for null. */
export function formatInstantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/**
 * Returns the instant this many milliseconds later, or earlier if the number is negative. The result is never after the
 * last instant or before the beginning of year 1, because RFC 3339 and PostgreSQL cannot represent such times.
 */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return Math.min(Math.max(instant + milliseconds, MIN_INSTANT), LAST_INSTANT) as Instant;
}

/**
 * Adds milliseconds to an instant, like `addMilliseconds`. The result is never before 1970 or after the last instant.
 */
export function shifted(instant: Instant, milliseconds: number): Instant {
  return Math.min(Math.max(instant + milliseconds, 0), LAST_INSTANT) as Instant;
}

/** Returns the instant without its fraction of a second. JWT dates are whole seconds (RFC 7519 section 2). */
export function wholeSecond(instant: Instant): Instant {
  return (Math.floor(instant / 1000) * 1000) as Instant;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}
