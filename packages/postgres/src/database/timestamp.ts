import { formatInstant, type Instant } from '@gatehouse/domain/time';

/** How a moment that may be absent is written to a nullable timestamptz. */
export function timestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
