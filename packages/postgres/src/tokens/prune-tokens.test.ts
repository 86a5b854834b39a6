import type { Repositories } from '@gatehouse/domain';
import { anEvent, givenAdmin, givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { type Token, tokenPruned } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';

const ENDED_BEFORE = addMilliseconds(START, 86_400_000);

async function givenEnded(store: Repositories, count: number): Promise<readonly Token[]> {
  const user = await givenAdmin(store);
  const tokens: Token[] = [];
  const expired = { kind: 'sign-in', expiresAt: addMilliseconds(START, 1000) } as const;
  while (tokens.length < count) tokens.push(await givenToken(store, user, expired));
  return tokens;
}

describe('pruning', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const prune =
    (limit: number): Part<number> =>
    ({ store, event }) =>
      store.tokens.prune({ endedBefore: ENDED_BEFORE, limit }, (token) =>
        event(tokenPruned(token, ENDED_BEFORE)),
      );

  test.each(GATE_HOLDS)('concurrent calls delete different tokens, each once: $letGo', async (hold) => {
    const tokens = await givenEnded(stage.store, 5);
    expect(await stage.race(prune(3), prune(3), hold)).toEqual([3, 2]);
    const entries = await stage.store.audit.list({ actions: ['token.pruned'], limit: 5 });
    expect(entries.map(({ event }) => event.subject.id).sort()).toEqual(tokens.map(({ id }) => id));
  });

  test('skips locked tokens, and deletes them the next time', async () => {
    const [used] = await givenEnded(stage.store, 2);
    const run = () => prune(9)({ ...stage, event: anEvent });
    await stage.database.queries.transaction().execute(async (tx) => {
      await sql`select from tokens where id = ${used?.id} for key share`.execute(tx);
      expect(await run()).toBe(1);
    });
    expect(await run()).toBe(1);
  });
});

test('notifies servers of the deleted tokens, so that they need not drop everything', async () => {
  const { url, database, store } = await aTestDatabase();
  const { feed, hear, told } = await openFeed({ listenUrl: url, database });
  const ids = (await givenEnded(store, 100)).map(({ id }) => id);
  await hear();
  told.length = 0;
  expect(await store.tokens.prune({ endedBefore: ENDED_BEFORE, limit: 100 }, () => anEvent())).toBe(100);
  await hear();
  expect(told.map((change) => (change.kind === 'token' ? change.id : change.kind)).sort()).toEqual(ids);
  await feed.close();
});
