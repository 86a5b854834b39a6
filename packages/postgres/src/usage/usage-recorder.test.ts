import { aTokenId, givenAdmin, givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase, connectClient } from '../../testing/open-test-store.ts';
import { createPaces } from '../../testing/paces.ts';
import { untilSomeoneWaits } from '../../testing/until-someone-waits.ts';
import { USAGE_CHANNEL } from './usage-notification.ts';
import { createPostgresUsageRecorder, type UsageRecorderEvent } from './usage-recorder.ts';

/** A recorder whose seconds pass when the test says so, and a listener to the notification of each statement. */
async function open(tokenCount = 1) {
  const { url, database, store } = await aTestDatabase();
  const client = await connectClient(url);
  await client.query(`listen ${USAGE_CHANNEL}`);
  let statements = 0;
  let told = Promise.withResolvers<void>();
  client.on('notification', () => {
    statements += 1;
    told.resolve();
  });

  const user = await givenAdmin(store);
  const ids = Array.from({ length: tokenCount }, aTokenId);
  // The ids are neither in the order of recording nor in the order of their table.
  for (const id of ids.toReversed()) await givenToken(store, user, { id });
  const [id = aTokenId()] = ids;
  const { pause, next, begun } = createPaces();
  const events: UsageRecorderEvent[] = [];
  const openRecorder = () =>
    createPostgresUsageRecorder(database, { report: (event) => events.push(event), pause });
  return {
    database,
    ids,
    id,
    recorder: openRecorder(),
    openRecorder,
    next,
    begun,
    events,
    lastUse: async (of = id) => (await store.tokens.find(of))?.usage.lastUsedAt,
    /** Waits until a statement has stored something since the last call. */
    async stored(): Promise<void> {
      await told.promise;
      told = Promise.withResolvers();
    },
    /** The number of statements so far. */
    async statements(): Promise<number> {
      await client.query('select 1');
      return statements;
    },
    rename: (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.id(to)}`.execute(database.queries),
  };
}

const at = (seconds: number) => addMilliseconds(START, 1000 * seconds);

test('a first use is stored at once, later ones after a second', async () => {
  const { recorder, id, lastUse, stored, statements, next } = await open();
  recorder.used(id, at(1));
  await stored();
  expect(await lastUse()).toBe(at(1));
  for (let i = 2; i <= 50; i += 1) recorder.used(id, at(i));
  expect(await lastUse()).toBe(at(1));
  const following = next();
  await stored();
  expect(await lastUse()).toBe(at(50));
  expect(await statements()).toBe(2);
  recorder.used(id, at(51));
  await following;
});

test('of first uses one after the other, one a second is stored at once, and the others after the second', async () => {
  const { recorder, ids, lastUse, stored, statements, next } = await open(20);
  const [first, ...others] = ids as [TokenId, ...TokenId[]];
  recorder.used(first, at(1));
  await stored();
  for (const id of others) {
    recorder.used(id, at(2));
    await new Promise(setImmediate);
  }
  expect(await statements()).toBe(1);
  const following = next();
  await stored();
  expect(await statements()).toBe(2);
  for (const id of others) expect(await lastUse(id)).toBe(at(2));
  recorder.used(aTokenId(), at(3));
  await stored();
  expect(await statements()).toBe(3);
  await following;
});

test('what is used while a statement is under way is stored after it, when the second is over', async () => {
  const { database, recorder, ids, lastUse, stored, next } = await open(2);
  const [first, second] = ids as [TokenId, TokenId];
  const { following } = await database.queries.transaction().execute(async (tx) => {
    await sql`lock table usage_recorders in exclusive mode`.execute(tx);
    recorder.used(first, at(1));
    await untilSomeoneWaits(database);
    recorder.used(second, at(1));
    const following = next();
    // The pause ends before the statement does.
    await new Promise(setImmediate);
    return { following };
  });
  await stored();
  if ((await lastUse(second)) === null) await stored();
  expect(await lastUse(second)).toBe(at(1));
  recorder.used(second, at(2));
  await following;
});

test('concurrent first uses are stored by one statement', async () => {
  const { recorder, ids, lastUse, stored, statements } = await open(20);
  for (const id of ids) recorder.used(id, at(1));
  await stored();
  for (const id of ids) expect(await lastUse(id)).toBe(at(1));
  expect(await statements()).toBe(1);
});

test('the backlog has the number of tokens that are not stored, and their earliest moment', async () => {
  const { recorder, ids } = await open(3);
  const [first, second, third] = ids as [TokenId, TokenId, TokenId];
  expect(recorder.backlog()).toEqual({ tokens: 0, oldest: undefined });
  recorder.used(first, at(5));
  expect(recorder.backlog()).toEqual({ tokens: 1, oldest: at(5) });
  recorder.refused(second, at(3), 'expired');
  recorder.used(third, at(8));
  recorder.used(second, at(9));
  expect(recorder.backlog()).toEqual({ tokens: 3, oldest: at(3) });
  await recorder.flush();
  expect(recorder.backlog()).toEqual({ tokens: 0, oldest: undefined });
});

test('a recorder with nothing to store leaves the database alone', async () => {
  const { recorder, statements } = await open();
  await recorder.flush();
  expect(await statements()).toBe(0);
});

test('a regular stop also stores usage recorded during the last statement', async () => {
  const { recorder, ids, lastUse } = await open(3);
  const flushes: Promise<void>[] = [];
  for (const [second, id] of ids.entries()) {
    recorder.used(id, at(second));
    flushes.push(recorder.flush());
    recorder.used(id, at(second + 10));
  }
  await Promise.all([...flushes, recorder.flush()]);
  expect(await Promise.all(ids.map((id) => lastUse(id)))).toEqual([at(10), at(11), at(12)]);
});

test('while the database refuses, usage waits, which is reported once, and is stored later', async () => {
  const { recorder, id, lastUse, rename, next, events } = await open();
  await rename('token_usage', 'away');
  recorder.used(id, at(1));
  await expect(recorder.flush()).rejects.toThrow('does not exist');
  for (let second = 2; second < 6; second += 1) {
    recorder.used(id, at(second));
    await next();
  }
  expect(events).toEqual([{ kind: 'usage_delayed', reason: expect.stringContaining('does not exist') }]);
  await rename('away', 'token_usage');
  await recorder.flush();
  expect(await lastUse()).toBe(at(5));
  expect(events.slice(1)).toEqual([{ kind: 'usage_stored', dropped: 0 }]);
});

test('waiting usage is bounded', async () => {
  const { recorder, id, rename, events, lastUse } = await open();
  await rename('token_usage', 'away');
  recorder.used(id, at(1));
  await expect(recorder.flush()).rejects.toThrow();
  for (let i = 1; i < 100_007; i += 1) recorder.used(aTokenId(), at(1));
  recorder.used(id, at(2));
  await rename('away', 'token_usage');
  await recorder.flush();
  expect(events.at(-1)).toEqual({ kind: 'usage_stored', dropped: 7 });
  expect(await lastUse()).toBe(at(2));
});

test('many tokens are stored before the second is over', async () => {
  const { recorder, stored } = await open();
  for (let i = 0; i < 5000; i += 1) recorder.refused(aTokenId(), at(1), 'expired');
  await stored();
});

test('nodes that record the same tokens do not block each other', async () => {
  const { openRecorder, ids, lastUse, events } = await open(40);
  const [one, other] = [openRecorder(), openRecorder()];
  for (let round = 0; round < 40; round += 2) {
    for (const id of ids) one.used(id, at(round));
    for (const id of ids.toReversed()) other.used(id, at(round + 1));
    await Promise.all([one.flush(), other.flush()]);
  }
  expect(new Set(await Promise.all(ids.map((id) => lastUse(id))))).toEqual(new Set([at(39)]));
  expect(events).toEqual([]);
});

test('rows are locked in the order of their ids, which avoids deadlocks', async () => {
  const { database, recorder, ids } = await open(2);
  const [first, second] = ids as [TokenId, TokenId];
  const record = () => {
    for (const id of [second, first]) recorder.used(id, at(1));
    return recorder.flush();
  };
  await record();
  const { flushing } = await database.queries.transaction().execute(async (tx) => {
    const take = (id: TokenId) =>
      sql`select from token_usage where token_id = ${id} for update nowait`.execute(tx);
    await take(first);
    const flushing = record();
    await untilSomeoneWaits(database);
    await take(second);
    return { flushing };
  });
  await flushing;
});

test('a token deleted while its use is stored does not affect other tokens', async () => {
  const { database, recorder, ids, lastUse } = await open(2);
  const [gone, kept] = ids as [TokenId, TokenId];
  const flushed = await database.queries.transaction().execute(async (tx) => {
    await tx.deleteFrom('tokens').where('id', '=', gone).execute();
    recorder.used(gone, at(1));
    recorder.used(kept, at(1));
    const flushing = recorder.flush();
    await untilSomeoneWaits(database);
    return { flushing };
  });
  await flushed.flushing;
  expect(await lastUse(gone)).toBeUndefined();
  expect(await lastUse(kept)).toBe(at(1));
});
