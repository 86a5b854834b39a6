import { aTokenId, givenAdmin, givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import type { RefusalCounts, TokenId, UsageCounts } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { aTestDatabase, connectClient } from '../../testing/open-test-store.ts';
import { untilSomeoneWaits } from '../../testing/until-someone-waits.ts';
import type { Database, DatabaseOptions } from '../database/database.ts';
import { parseUsageNotification, USAGE_CHANNEL } from './usage-notification.ts';
import { createPostgresUsageRecorder } from './usage-recorder.ts';
import { createPostgresUsageRecorderHealth } from './usage-records.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

/** A recorder that stores on request, and a listener for its notifications. */
async function open(options: Partial<DatabaseOptions> = {}) {
  const { url, database, store } = await aTestDatabase(options);
  const client = await connectClient(url);
  let notifications: pg.Notification[] = [];
  client.on('notification', (notification) => notifications.push(notification));

  const user = await givenAdmin(store);
  const { id } = await givenToken(store, user);
  await client.query(`listen ${USAGE_CHANNEL}`);
  const openRecorder = () =>
    createPostgresUsageRecorder(database, { report: () => {}, pause: () => new Promise(() => {}) });
  return {
    database,
    id,
    openRecorder,
    recorder: openRecorder(),
    health: createPostgresUsageRecorderHealth(database),
    /** Returns all that was notified since the last call. */
    async notified(): Promise<readonly pg.Notification[]> {
      await client.query('select 1');
      const heard = notifications;
      notifications = [];
      return heard;
    },
  };
}

function countsOf(notifications: readonly pg.Notification[]): readonly UsageCounts[] {
  return notifications.flatMap(({ payload = '' }) => parseUsageNotification(payload) ?? expect.fail(payload));
}

/** Adds up the token's uses and refusals in these notifications. */
function sumOf(notifications: readonly pg.Notification[], id: TokenId) {
  const refusals: Record<string, number> = {};
  let uses = 0;
  for (const counts of countsOf(notifications).filter(({ tokenId }) => tokenId === id)) {
    uses += counts.uses;
    for (const [reason, count] of Object.entries(counts.refusals)) {
      refusals[reason] = (refusals[reason] ?? 0) + count;
    }
  }
  return { uses, refusals: refusals as RefusalCounts };
}

/** Runs the work while nothing can be stored. */
const whileStuck = <T>({ queries }: Database, work: () => Promise<T>): Promise<T> =>
  queries.transaction().execute(async (tx) => {
    await sql`lock table token_usage in exclusive mode`.execute(tx);
    return work();
  });

test('every use is counted once, whenever it is stored', async () => {
  const { recorder, id, notified } = await open();
  const flushes: Promise<void>[] = [];
  for (let i = 1; i <= 1000; i += 1) {
    recorder.used(id, at(i));
    if (i % 3 === 0) recorder.refused(id, at(i), i % 2 === 0 ? 'expired' : 'not_allowed');
    if (i % 100 === 0) flushes.push(recorder.flush());
    if (i % 250 === 0) await Promise.all(flushes);
  }
  await recorder.flush();
  expect(sumOf(await notified(), id)).toEqual({ uses: 1000, refusals: { expired: 166, not_allowed: 167 } });
});

test('usage that could not be stored is notified when it is stored, and not before', async () => {
  const { database, recorder, id, notified } = await open();
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.id(to)}`.execute(database.queries);
  await rename('usage_recorders', 'away');
  for (const second of [1, 2, 3]) {
    recorder.used(id, at(second));
    recorder.refused(id, at(second), 'revoked');
    await expect(recorder.flush()).rejects.toThrow('does not exist');
  }
  expect(await notified()).toEqual([]);
  await rename('away', 'usage_recorders');
  recorder.used(id, at(4));
  await recorder.flush();
  expect(countsOf(await notified())).toEqual([{ tokenId: id, uses: 4, refusals: { revoked: 3 }, at: at(4) }]);
});

test('a stuck database delays notifications, but does not change them', async () => {
  const { database, recorder, id, notified } = await open({ statementTimeoutMs: 300 });
  recorder.used(id, at(1));
  await recorder.flush();
  await whileStuck(database, async () => {
    for (const second of [2, 3]) {
      recorder.used(id, at(second));
      const stuck = recorder.flush();
      await untilSomeoneWaits(database);
      recorder.used(id, at(second));
      recorder.refused(id, at(second), 'expired');
      await expect(stuck).rejects.toThrow('statement timeout');
    }
  });
  expect(sumOf(await notified(), id)).toEqual({ uses: 1, refusals: {} });
  await recorder.flush();
  expect(countsOf(await notified())).toEqual([{ tokenId: id, uses: 4, refusals: { expired: 2 }, at: at(3) }]);
});

test('the lag is the age of the oldest use that waited', async () => {
  const { database, recorder, id, health } = await open();
  const now = await clockOf(database);
  recorder.used(id, addMilliseconds(now, -5000));
  recorder.used(id, addMilliseconds(now, -60_000));
  recorder.used(aTokenId(), addMilliseconds(now, -90_000));
  recorder.used(id, now);
  await recorder.flush();
  const [entry] = await health.list();
  const passed = (await clockOf(database)) - now;
  expect(entry?.lagMs).toBeGreaterThanOrEqual(90_000);
  expect(entry?.lagMs).toBeLessThanOrEqual(90_000 + passed);
});

test('the lag includes usage that could not be stored before', async () => {
  const { database, recorder, id, health } = await open({ statementTimeoutMs: 300 });
  const before = await clockOf(database);
  await whileStuck(database, async () => {
    recorder.used(id, before);
    const stuck = recorder.flush();
    await untilSomeoneWaits(database);
    recorder.used(id, addMilliseconds(before, 1000));
    await expect(stuck).rejects.toThrow('statement timeout');
  });
  const after = await clockOf(database);
  await recorder.flush();
  expect((await health.list())[0]?.lagMs).toBeGreaterThanOrEqual(after - before);
});

test('the lag includes the duration of storing', async () => {
  const { database, recorder, id, health } = await open();
  const before = await clockOf(database);
  const { flushed, waited } = await whileStuck(database, async () => {
    // Under the lock, because a token's first use is stored at once.
    recorder.used(id, before);
    const flushed = recorder.flush();
    await untilSomeoneWaits(database);
    return { flushed, waited: (await clockOf(database)) - before };
  });
  await flushed;
  expect((await health.list())[0]?.lagMs).toBeGreaterThanOrEqual(waited);
});

test('a lag of months is reported as far as it can be represented', async () => {
  const { recorder, id, health } = await open();
  recorder.used(id, 0 as Instant);
  await recorder.flush();
  expect((await health.list())[0]?.lagMs).toBe(2 ** 31 - 1);
});

test('each recorder has its entry, the newest first, until it has stored nothing for a day', async () => {
  const { database, openRecorder, id, health } = await open();
  const [old, one, other] = [openRecorder(), openRecorder(), openRecorder()];
  for (const recorder of [old, one]) {
    recorder.used(id, at(1));
    await recorder.flush();
  }
  expect(await health.list()).toHaveLength(2);
  await sql`update usage_recorders set stored_at = stored_at - interval '1 day 1 second'
    where stored_at = (select min(stored_at) from usage_recorders)`.execute(database.queries);
  other.used(id, at(2));
  await other.flush();
  const [newest, older, ...gone] = await health.list();
  expect(gone).toEqual([]);
  expect(newest?.storedAt).toBeGreaterThanOrEqual(older?.storedAt ?? 0);
  old.used(id, at(3));
  await old.flush();
  expect(await health.list()).toHaveLength(3);
});

test('recorders that were silent for a day do not deadlock', async () => {
  const { database, openRecorder } = await open();
  const recorders = Array.from({ length: 4 }, () => openRecorder());
  for (let round = 0; round < 20; round += 1) {
    // Uses tokens without records, so that no row makes one recorder wait for the other.
    for (const recorder of recorders) recorder.used(aTokenId(), at(round));
    await Promise.all(recorders.map((recorder) => recorder.flush()));
    await sql`update usage_recorders set stored_at = stored_at - interval '2 days'`.execute(database.queries);
  }
});

test('a recorder that is storing is not removed, however long it was silent', async () => {
  const { database, openRecorder, id, health } = await open();
  const [one, other] = [openRecorder(), openRecorder()];
  one.used(id, at(1));
  await one.flush();
  await sql`update usage_recorders set stored_at = stored_at - interval '2 days'`.execute(database.queries);
  await database.queries.transaction().execute(async (tx) => {
    await sql`select from usage_recorders for update`.execute(tx);
    other.used(id, at(2));
    await other.flush();
  });
  expect(await health.list()).toHaveLength(2);
});

async function clockOf({ queries }: Database): Promise<Instant> {
  const now = sql<{ now: Instant }>`select clock_timestamp()::timestamptz(3) as now`;
  return (await now.execute(queries)).rows[0]?.now ?? START;
}
