import fc from 'fast-check';
import { LRUCache } from 'lru-cache';
import { expect, test } from 'vitest';
import { boundedBy } from './limits.ts';

const limit = fc.record({
  entries: fc.integer({ min: 1, max: 50 }),
  bytes: fc.integer({ min: 1, max: 2000 }),
});
const weights = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 100 });

test('neither the entries nor the bytes exceed their limit', () => {
  fc.assert(
    fc.property(limit, weights, ({ entries, bytes }, all) => {
      const cache = new LRUCache<number, number>(boundedBy({ entries, bytes }, (weight) => weight));
      for (const [key, weight] of all.entries()) {
        cache.set(key, weight);
        expect(cache.size).toBeLessThanOrEqual(entries);
        expect([...cache.values()].reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(bytes);
      }
    }),
  );
});

test('all allowed entries fit if they are no larger than their share', () => {
  const cache = new LRUCache<number, number>(boundedBy({ entries: 7, bytes: 99 }, () => 14));
  for (let key = 0; key < 20; key += 1) cache.set(key, key);
  expect(cache.size).toBe(7);
});
