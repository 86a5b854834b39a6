import { err, ok } from '@gatehouse/domain';
import { anEvent, aToken, givenAccount, givenActiveKey, givenUser } from '@gatehouse/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part, type Stage } from '../../testing/stage.ts';
import { createPostgresRepositories } from '../repositories.ts';
import { insertToken } from './insert-token.ts';

describe('API tokens of one name that are created concurrently', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  type Insert = (
    ...parameters: [...Parameters<Part<unknown>>, ReturnType<typeof aToken>]
  ) => Promise<unknown>;

  async function raceForName(insert: Insert): Promise<unknown[][]> {
    const outcomes: unknown[][] = [];
    for (const hold of GATE_HOLDS) {
      const { id: accountId } = await givenAccount(stage.store);
      const user = await givenUser(stage.store, accountId);
      const key = await givenActiveKey(stage.store);
      const make: Part<unknown> = (side) => insert(side, aToken(user, key, { name: 'ERP' }));
      outcomes.push(await stage.race(make, make, hold));
    }
    return outcomes;
  }

  test('exist once: the second is refused', async () => {
    const outcomes = await raceForName(({ database, origin }, token) =>
      createPostgresRepositories(database).tokens.insert(token, {}, anEvent({ origin })),
    );
    expect(outcomes).toEqual(GATE_HOLDS.map(() => [ok(undefined), err({ code: 'token_name_taken' })]));
  });

  test('exist twice, and are detected, without the reservation of the name', async () => {
    const outcomes = await raceForName(({ database, origin }, token) =>
      insertToken(database.queries, token, undefined, anEvent({ origin })),
    );
    expect(outcomes).toContainEqual([undefined, undefined]);
  });
});
