import type { Pick } from './plan.ts';

/** Returns a function that returns the index of the next request, out of `count`. `random` is like `Math.random`. */
export function createPicker(pick: Pick, count: number, offset: number, random: () => number): () => number {
  switch (pick) {
    case 'in-order': {
      let next = offset;
      return () => next++ % count;
    }
    case 'uniform':
      return () => Math.floor(random() * count);
    case 'zipf': {
      const cumulative = zipfDistribution(count);
      return () => firstAtLeast(cumulative, random());
    }
  }
}

/** Zipf's law with exponent 1: the n-th is requested 1/n as often as the first. */
function zipfDistribution(count: number): Float64Array {
  const cumulative = new Float64Array(count);
  let total = 0;
  for (let index = 0; index < count; index++) {
    total += 1 / (index + 1);
    cumulative[index] = total;
  }
  return cumulative.map((value) => value / total);
}

function firstAtLeast(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
