import { formatInstant, type Instant } from '@gatehouse/domain';

/** As programs read it. */
export function timeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** As people read it: to the second. */
export function shortTime(instant: Instant | null, none = '-'): string {
  return instant === null ? none : formatInstant(instant).replace(/\.\d+Z$/, 'Z');
}

const AGES = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** How long ago it was, as people say it: in the largest unit of which it is one at least. */
export function timeAgo(instant: Instant | null, now: Instant, never = 'never'): string {
  if (instant === null) return never;
  const age = now - instant;
  const [unit, length] = UNITS.find((each) => age >= each[1]) ?? [];
  // The clocks of two machines differ a little: what was just recorded may seem to lie ahead.
  return unit === undefined ? 'just now' : AGES.format(-Math.floor(age / length), unit);
}
