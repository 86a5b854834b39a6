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

/** A median, and the quartiles on both sides of it: half of the values lie between them. */
export interface Spread {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

export function spread(values: readonly number[]): Spread {
  return { low: percentile(values, 0.25), middle: median(values), high: percentile(values, 0.75) };
}

/**
 * The ratios within each round. Rounds are seconds to minutes apart and machines drift, so two medians divided by each
 * other would compare different moments.
 */
export function ratios(values: readonly number[], references: readonly number[]): readonly number[] {
  if (values.length !== references.length) throw new RangeError('each value needs a reference of its round');
  return values.map((value, round) => value / (references[round] as number));
}

/**
 * The ratio of the values to the references of their rounds, as their geometric mean with its 95 % interval (Student's t of
 * the logarithms).
 */
export function ratioInterval(values: readonly number[], references: readonly number[]): Spread {
  if (values.length < 2) throw new RangeError('an interval needs two ratios');
  const logs = ratios(values, references).map(Math.log);
  const mean = sum(logs) / logs.length;
  const variance = sum(logs.map((log) => (log - mean) ** 2)) / (logs.length - 1);
  const margin = T_95 * Math.sqrt(variance / logs.length);
  return { low: Math.exp(mean - margin), middle: Math.exp(mean), high: Math.exp(mean + margin) };
}

/** Student's t for the 29 degrees of freedom of 30 pairs. */
const T_95 = 2.045;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function quantile(values: readonly number[], share: number, round: (rank: number) => number): number {
  if (values.length === 0) throw new RangeError('there are no values');
  return ascending(values)[round(share * (values.length - 1))] as number;
}

function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((one, other) => one - other);
}
