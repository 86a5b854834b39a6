import { anEvent, givenAccount, givenToken, givenUser, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { type Token, tokenPruned } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { GATE_HOLDS, openStage, type Part, type Stage } from '../../testing/stage.ts';
import { createPostgresRepositories } from '../repositories.ts';

const ENDED_BEFORE = addMilliseconds(START, 86_400_000);

describe('pruning', { timeout: 60_000 }, () => {
  let stage: Stage;
  let user: User;
  beforeAll(async () => {
    stage = await openStage();
    user = await givenUser(stage.store, (await givenAccount(stage.store)).id);
  });
  afterAll(() => stage.close());

  async function givenEnded(count: number): Promise<readonly Token[]> {
    const tokens: Token[] = [];
    while (tokens.length < count) {
      tokens.push(
        await givenToken(stage.store, user, { kind: 'sign-in', expiresAt: addMilliseconds(START, 1000) }),
      );
    }
    return tokens;
  }
  const prune =
    (limit: number): Part<number> =>
    ({ database, origin }) =>
      createPostgresRepositories(database).tokens.prune({ endedBefore: ENDED_BEFORE, limit }, (token) => ({
        ...anEvent({ origin }),
        ...tokenPruned(token, ENDED_BEFORE),
      }));

  test.each(GATE_HOLDS)('concurrent calls delete different tokens, each once: $letGo', async (hold) => {
    const tokens = await givenEnded(5);
    expect(await stage.race(prune(3), prune(3), hold)).toEqual([3, 2]);
    const entries = await stage.store.audit.list({ action: 'token.pruned', limit: 5 });
    expect(entries.map(({ event }) => event.subject.id).sort()).toEqual(tokens.map(({ id }) => id));
  });

  test('skips locked tokens, and deletes them the next time', async () => {
    const [used] = await givenEnded(2);
    const run = () => prune(9)({ database: stage.database, origin: 'test' });
    await stage.database.queries.transaction().execute(async (tx) => {
      await sql`select from tokens where id = ${used?.id} for key share`.execute(tx);
      expect(await run()).toBe(1);
    });
    expect(await run()).toBe(1);
  });
});

test('notifies servers of the deleted tokens, so that they need not drop everything', async () => {
  const { url, database, close } = await openTestDatabase();
  const { feed, hear, told } = await openFeed({ listenUrl: url, database });
  const store = createPostgresRepositories(database);
  const user = await givenUser(store, (await givenAccount(store)).id);
  const expired = { kind: 'sign-in', expiresAt: addMilliseconds(START, 1000) } as const;
  const ids: string[] = [];
  while (ids.length < 100) ids.push((await givenToken(store, user, expired)).id);
  await hear();
  told.length = 0;
  expect(await store.tokens.prune({ endedBefore: ENDED_BEFORE, limit: 100 }, () => anEvent())).toBe(100);
  await hear();
  expect(told.map((change) => (change.kind === 'token' ? change.id : change.kind)).sort()).toEqual(ids);
  await feed.close();
  await close();
});
