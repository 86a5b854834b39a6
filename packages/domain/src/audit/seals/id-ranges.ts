import type { IdRange } from './audit-seal.ts';

/** Returns the ranges that have exactly these ids. The ids must be ascending. */
export function rangesOf(ids: readonly number[]): readonly IdRange[] {
  const ranges: [number, number][] = [];
  for (const id of ids) {
    const last = ranges.at(-1);
    if (last && last[1] === id - 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}

/** Lists the ids in ranges, ascending. */
export function* idsIn(ranges: readonly IdRange[]): Generator<number> {
  for (const [first, last] of ranges) for (let id = first; id <= last; id += 1) yield id;
}

export function countIn(ranges: readonly IdRange[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Returns the ids from `from` to `to` that are in none of the ranges, which may be in any order. */
export function without(from: number, to: number, taken: readonly IdRange[]): readonly IdRange[] {
  const left: IdRange[] = [];
  let next = from;
  for (const [first, last] of taken.toSorted(([one], [other]) => one - other)) {
    if (first > to) break;
    if (first > next) left.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= to) left.push([next, to]);
  return left;
}

export function includes(ranges: readonly IdRange[], id: number): boolean {
  return ranges.some(([first, last]) => first <= id && id <= last);
}

export function rangesJson(ranges: readonly IdRange[]): string {
  return `[${ranges.map(([first, last]) => `[${first},${last}]`).join(',')}]`;
}
