import { randomInt } from 'node:crypto';

/** Returns the items in random order. */
export function shuffled<T>(items: readonly T[]): readonly T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(randomInt(left.length), 1));
}
