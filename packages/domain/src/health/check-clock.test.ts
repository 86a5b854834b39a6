import { beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../testing/index.ts';
import { createInstallation, findingsIn } from '../../testing/installation.ts';
import { addMilliseconds } from '../time/instant.ts';

describe('checkHealth', () => {
  let world: World;

  beforeEach(async () => {
    ({ world } = await createInstallation());
  });

  describe('the clock', () => {
    /** A database whose clock is so far behind, and so far away. */
    const storeAt = (behindMs: number, ways: readonly (readonly [there: number, back: number])[]) => {
      let asked = 0;
      return {
        schemaState: async () => 'current' as const,
        unfitProperties: async () => [],
        publicAccess: async () => undefined,
        objectCreation: async () => undefined,
        unexpectedObjects: async () => undefined,
        async now() {
          // The first read only checks that the database responds.
          const [there, back] = ways[Math.max(0, asked - 1) % ways.length] ?? [0, 0];
          asked += 1;
          world.clock.advance(there);
          const theirs = addMilliseconds(world.clock.now(), -behindMs);
          world.clock.advance(back);
          return theirs;
        },
      };
    };

    test.each([
      [1000, []],
      [-1000, []],
      [1001, [{ code: 'clock_skewed', skewMs: 1001 }]],
      [-1001, [{ code: 'clock_skewed', skewMs: -1001 }]],
      [-3_600_000, [{ code: 'clock_skewed', skewMs: -3_600_000 }]],
    ])('%i ms ahead of the database: %j', async (skew, found) => {
      expect(await findingsIn(world, { storeProbe: storeAt(skew, [[0, 0]]) })).toEqual(found);
    });

    test('is compared at the middle of the round trip, whose duration is not counted as skew', async () => {
      const compared = (...store: Parameters<typeof storeAt>) =>
        findingsIn(world, { storeProbe: storeAt(...store) });
      expect(await compared(1500, [[400, 400]])).toEqual([{ code: 'clock_skewed', skewMs: 1500 }]);
      for (const way of [
        [5000, 0],
        [0, 5000],
      ] as const)
        expect(await compared(0, [way])).toEqual([]);
      expect(await compared(1300, [[400, 400]])).toEqual([]);
    });

    test('is judged by the fastest response', async () => {
      const storeProbe = storeAt(1200, [
        [900, 900],
        [10, 10],
        [900, 0],
      ]);
      expect(await findingsIn(world, { storeProbe })).toEqual([{ code: 'clock_skewed', skewMs: 1200 }]);
    });
  });
});
