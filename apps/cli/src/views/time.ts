import { formatInstant, type Instant } from '@gatehouse/domain';

/** As programs read it. */
export function timeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** As people read it: to the second. */
export function shortTime(instant: Instant | null, none = '-'): string {
  return instant === null ? none : formatInstant(instant).replace(/\.\d+Z$/, 'Z');
}
