import type { IdRange } from '@gatehouse/domain/audit';

/** Parses an int8multirange such as `{[1,4),[7,8)}`, whose ranges PostgreSQL writes without their upper bounds. */
export function parseRanges(text: string): readonly IdRange[] {
  return [...text.matchAll(/\[(-?\d+),(-?\d+)\)/g)].map(([, first, end]) => [Number(first), Number(end) - 1]);
}

/** Formats ranges as an int8multirange. */
export function formatRanges(ranges: readonly IdRange[]): string {
  return `{${ranges.map(([first, last]) => `[${first},${last}]`).join(',')}}`;
}

/**
 * Returns the first ids and the last ones as two arrays for PostgreSQL; the limits of JavaScript's safe integers
 * become those of bigint.
 */
export function boundsOf(
  ranges: readonly IdRange[],
): readonly [firsts: readonly string[], lasts: readonly string[]] {
  return [
    ranges.map(([first]) => (first <= Number.MIN_SAFE_INTEGER ? '-9223372036854775808' : String(first))),
    ranges.map(([, last]) => (last >= Number.MAX_SAFE_INTEGER ? '9223372036854775807' : String(last))),
  ];
}
