/** The middle of some measurements, and of two middle ones their mean. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}

/**
 * How well one measurement tells which of two groups it is of: the area under the curve of the best classifier by
 * a threshold (Mann and Whitney's U, by the number of pairs). 0.5: not at all; 1: always.
 */
export function separability(one: readonly number[], other: readonly number[]): number {
  const ranked = [
    ...one.map((value) => ({ value, isOne: true })),
    ...other.map((value) => ({ value, isOne: false })),
  ];
  ranked.sort((a, b) => a.value - b.value);
  let ranks = 0;
  for (let start = 0; start < ranked.length; ) {
    let end = start;
    while (end < ranked.length && ranked[end]?.value === ranked[start]?.value) end += 1;
    // Those that are equal share the mean of their ranks.
    const rank = (start + 1 + end) / 2;
    for (const { isOne } of ranked.slice(start, end)) if (isOne) ranks += rank;
    start = end;
  }
  const wins = ranks - (one.length * (one.length + 1)) / 2;
  const area = wins / (one.length * other.length);
  return Math.max(area, 1 - area);
}
