import { TOKEN_KINDS } from '@gatehouse/domain/tokens';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStage, type Stage } from '../../testing/stage.ts';
import { ENDERS, type RaceResult, raceForToken, stagings } from '../../testing/token-race.ts';
import { createUnguardedTokenRepository } from '../../testing/unguarded-token-repository.ts';
import { createPostgresTokenRepository } from './token-repository.ts';

/** Each pair is raced in 8 stagings a round; 125 rounds make a thousand races of each pair. */
const ROUNDS = sized({ short: 5, full: 125 });

const PAIRS = TOKEN_KINDS.flatMap((kind) => ENDERS.map((ender) => ({ kind, ender })));

describe('a token that is created while another transaction ends it', { timeout: 60_000 * ROUNDS }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  test.each(PAIRS)('never outlives it: $kind token, $ender', async ({ kind, ender }) => {
    const results: RaceResult[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const race of stagings(kind, ender)) {
        const result = await raceForToken(stage, createPostgresTokenRepository, race);
        expect(result.violations, JSON.stringify(race)).toEqual([]);
        results.push(result);
      }
    }
    // Both orders took place, unless they do not concern each other.
    const inserted = results.filter((result) => result.inserted).length;
    const unconcerned = kind === 'api' && ender === 'setPassword';
    expect(inserted).toBe(unconcerned ? results.length : results.length / 2);
    recordFigures('W1', [
      {
        name: `${kind} token being made, against ${ender}: races after which the token outlived it`,
        measured: `0 of ${results.length}`,
        bar: '0',
        holds: true,
      },
    ]);
  });

  const CAUGHT = PAIRS.filter(({ kind, ender }) => kind === 'sign-in' || ender !== 'setPassword');

  test.each(CAUGHT)(
    'outlives it, and is detected, without locks: $kind token, $ender',
    async ({ kind, ender }) => {
      const violations: string[] = [];
      for (const race of stagings(kind, ender)) {
        const result = await raceForToken(stage, createUnguardedTokenRepository, race);
        violations.push(...result.violations);
      }
      expect(violations.some((violation) => /outlives|made after/.test(violation))).toBe(true);
    },
  );
});
