import type { IdRange } from '@gatehouse/domain/audit';
import { type RawBuilder, sql } from 'kysely';

/**
 * Parses an int8multirange such as `{[1,4),[7,8)}`. PostgreSQL ends each range with the first number that is not in it.
 */
export function parseRanges(text: string): readonly IdRange[] {
  return [...text.matchAll(/\[(-?\d+),(-?\d+)\)/g)].map(([, first, end]) => [Number(first), Number(end) - 1]);
}

/** Formats ranges as an int8multirange. */
export function formatRanges(ranges: readonly IdRange[]): string {
  return `{${ranges.map(([first, last]) => `[${first},${last}]`).join(',')}}`;
}

/**
 * Returns the ranges as the table `wanted (first, last)` of a statement. The smallest and largest safe integers become
 * the smallest and largest bigint.
 */
export function wantedRanges(ranges: readonly IdRange[]): RawBuilder<unknown> {
  const firsts = ranges.map(([id]) => (id <= Number.MIN_SAFE_INTEGER ? '-9223372036854775808' : String(id)));
  const lasts = ranges.map(([, id]) => (id >= Number.MAX_SAFE_INTEGER ? '9223372036854775807' : String(id)));
  return sql`unnest(${firsts}::bigint[], ${lasts}::bigint[]) as wanted (first, last)`;
}
