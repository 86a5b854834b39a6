/** Returns the median; for an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return (quantile(values, 0.5, Math.floor) + quantile(values, 0.5, Math.ceil)) / 2;
}

/** Returns the smallest value that at least this share of the values does not exceed (nearest-rank method). */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('there are no values');
  const rank = Math.max(1, Math.ceil(share * values.length));
  return ascending(values)[rank - 1] as number;
}

/**
 * The median of the ratios within each round. Rounds are minutes apart and machines drift, so two medians divided
 * by each other would compare different moments.
 */
export function medianRatio(values: readonly number[], references: readonly number[]): number {
  if (values.length !== references.length) throw new RangeError('each value needs a reference of its round');
  return median(values.map((value, round) => value / (references[round] as number)));
}

function quantile(values: readonly number[], share: number, round: (rank: number) => number): number {
  if (values.length === 0) throw new RangeError('there are no values');
  return ascending(values)[round(share * (values.length - 1))] as number;
}

function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((one, other) => one - other);
}
