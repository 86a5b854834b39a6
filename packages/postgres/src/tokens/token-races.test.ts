import { recordFigures, sized } from '@gatehouse/fault-figures';
import { afterAll, describe, expect, test } from 'vitest';
import { openStage } from '../../testing/stage.ts';
import { PAIRS, type Pair, raceForToken } from '../../testing/token-race.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import { createPostgresTokenRepository } from './token-repository.ts';

/** Each pair is raced in 8 stagings a round; 125 rounds make a thousand races of each pair. */
const ROUNDS = sized({ short: 1, full: 125 });

const stage = await openStage();
afterAll(stage.close);

const createUnguarded: typeof createPostgresTokenRepository = (database) =>
  createPostgresTokenRepository(withoutLocks(database));

const figureOf = ({ created, ender }: Pair) =>
  created === 'successor'
    ? `token being rotated, against ${ender}: races after which the successor outlived it`
    : `${created} token being made, against ${ender}: races after which the token outlived it`;

describe('a token or a successor that is created while another transaction ends it', {
  timeout: 60_000 * ROUNDS,
}, () => {
  test.each(PAIRS)('never outlives it: $created, $ender', async (pair) => {
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { made, races, violations } = await raceForToken(stage, createPostgresTokenRepository, pair);
      expect(violations).toEqual([]);
      // Both orders took place, unless the two do not affect each other.
      expect(made).toBe(pair.refusal === undefined ? races : races / 2);
      total += races;
    }
    recordFigures('W1', [{ name: figureOf(pair), measured: `0 of ${total}`, bar: '0', holds: true }]);
  });

  test.each(PAIRS.filter(({ refusal }) => refusal !== undefined))(
    'outlives it, and is detected, without locks: $created, $ender',
    async (pair) => {
      const { violations } = await raceForToken(stage, createUnguarded, pair);
      expect(violations.some((violation) => /outlives|made after|stays with/.test(violation))).toBe(true);
    },
  );
});
