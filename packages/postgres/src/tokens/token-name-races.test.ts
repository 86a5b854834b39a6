import { err, ok } from '@gatehouse/domain';
import { aToken, aTokenId, givenActiveKey, givenAdmin } from '@gatehouse/domain/testing';
import type { Token } from '@gatehouse/domain/tokens';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part, type Side } from '../../testing/stage.ts';
import { insertToken } from './insert-token.ts';

describe('API tokens of one id and of different names that are created concurrently', async () => {
  const stage = await openStage();
  afterAll(stage.close);

  test('exist once: the second waits for the first, and is refused', async () => {
    for (const hold of GATE_HOLDS) {
      const user = await givenAdmin(stage.store);
      const key = await givenActiveKey(stage.store);
      const id = aTokenId();
      const make =
        (name: string): Part<unknown> =>
        ({ store, event }) =>
          store.tokens.insert(aToken(user, key, { id, name }), event());
      const outcomes = await stage.race(make('ERP'), make('Wiki'), hold);
      expect(outcomes).toEqual([ok(undefined), err({ code: 'token_id_taken' })]);
    }
  });
});

describe('API tokens of one name that are created concurrently', async () => {
  const stage = await openStage();
  afterAll(stage.close);

  async function raceForName(insert: (side: Side, token: Token) => Promise<unknown>): Promise<unknown[][]> {
    const outcomes: unknown[][] = [];
    for (const hold of GATE_HOLDS) {
      const user = await givenAdmin(stage.store);
      const key = await givenActiveKey(stage.store);
      const make: Part<unknown> = (side) => insert(side, aToken(user, key, { name: 'ERP' }));
      outcomes.push(await stage.race(make, make, hold));
    }
    return outcomes;
  }

  test('exist once: the second is refused', async () => {
    const outcomes = await raceForName(({ store, event }, token) => store.tokens.insert(token, event()));
    expect(outcomes).toEqual(GATE_HOLDS.map(() => [ok(undefined), err({ code: 'token_name_taken' })]));
  });

  test('exist twice, and are detected, without the reservation of the name', async () => {
    const outcomes = await raceForName(({ database, event }, token) =>
      insertToken(database.queries, token, event()),
    );
    expect(outcomes).toContainEqual([undefined, undefined]);
  });
});
