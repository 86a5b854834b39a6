import { formatInstant, type Instant } from '@gatehouse/domain/time';

/** Formats an optional instant for a nullable timestamptz. */
export function timestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
