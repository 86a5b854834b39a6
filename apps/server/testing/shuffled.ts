import { randomInt } from 'node:crypto';

/** The same items in an order that nobody knows before. */
export function shuffled<T>(items: readonly T[]): readonly T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(randomInt(left.length), 1));
}
