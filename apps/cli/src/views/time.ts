import { formatInstant, type Instant } from '@gatehouse/domain/time';

/** As programs read it. */
export function timeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** As people read it: to the second. */
export function shortTime(instant: Instant | null, none = '-'): string {
  return instant === null ? none : formatInstant(instant).replace(/\.\d+Z$/, 'Z');
}

/** How long something takes, as people say it: in the largest unit that tells it exactly and is more than one. */
export function timeSpan(milliseconds: number): string {
  const exact = UNITS.filter(([, length]) => milliseconds % length === 0);
  const [unit, length] = exact.find((each) => milliseconds > each[1]) ?? exact.at(-1) ?? ['second', 1000];
  const span = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' });
  return span.format(milliseconds / length);
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
