import { givenAdmin, givenSuccessor, givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { createPostgresUsageRecorder } from '../usage/usage-recorder.ts';

const GRACE = 3_600_000;

async function open() {
  const { database, store } = await aTestDatabase();
  const user = await givenAdmin(store);
  const old = await givenToken(store, user);
  return {
    database,
    old,
    successor: await givenSuccessor(store, old, {}, GRACE),
    recorder: createPostgresUsageRecorder(database, { report: () => {} }),
    tokenNow: async () => await store.tokens.findRecord(old.id),
  };
}

test('a first use that could not be stored at once counts from its own time', async () => {
  const { database, recorder, successor, tokenNow } = await open();
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.id(to)}`.execute(database.queries);
  await rename('token_usage', 'away');
  recorder.used(successor.id, START);
  await expect(recorder.flush()).rejects.toThrow();
  recorder.used(successor.id, addMilliseconds(START, 60_000));
  await rename('away', 'token_usage');
  await recorder.flush();
  expect(await tokenNow()).toMatchObject({ replacedAt: START, expiresAt: addMilliseconds(START, GRACE) });
});

test('a first use by a clock that is ahead counts from now', async () => {
  const { database, recorder, successor, tokenNow } = await open();
  const now = async () => {
    const { rows } = await sql<{ now: number }>`
      select ceil(extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(database.queries);
    return rows[0]?.now ?? expect.fail();
  };
  recorder.used(successor.id, addMilliseconds(START, 1_000 * 365 * 86_400_000));
  await recorder.flush();
  const { expiresAt } = (await tokenNow()) ?? expect.fail();
  expect(expiresAt).toBeLessThanOrEqual((await now()) + GRACE);
});

test('if the end cannot be set, the use is not stored either, and both are stored later', async () => {
  const { database, recorder, successor, tokenNow } = await open();
  await sql`alter table tokens add constraint refused check (replaced_at is null)`.execute(database.queries);
  recorder.used(successor.id, START);
  await expect(recorder.flush()).rejects.toThrow('refused');
  const { rows } = await sql`select from token_usage where last_used_at is not null`.execute(
    database.queries,
  );
  expect(rows).toEqual([]);
  await sql`alter table tokens drop constraint refused`.execute(database.queries);
  await recorder.flush();
  expect(await tokenNow()).toMatchObject({ replacedAt: START });
});
