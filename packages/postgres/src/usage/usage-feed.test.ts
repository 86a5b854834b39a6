import { UnavailableFault } from '@gatehouse/domain';
import { aTokenId, START } from '@gatehouse/domain/testing';
import { openRelay } from '@gatehouse/test-database';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { createPaces } from '../../testing/paces.ts';
import { openListeningConnection } from '../changes/listening-connection.ts';
import type { Database } from '../database/database.ts';
import { createPostgresUsageFeed } from './usage-feed.ts';
import { USAGE_CHANNEL } from './usage-notification.ts';
import { createPostgresUsageRecorder } from './usage-recorder.ts';

async function open() {
  const opened = await aTestDatabase();
  const recorder = createPostgresUsageRecorder(opened.database, { report: () => {} });
  return { ...opened, recorder };
}

/** Counts the sessions that listen to usage on this database. */
async function listeners({ queries }: Database): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name like 'gatehouse usage feed%'`.execute(queries);
  return rows.length;
}

async function untilNobodyListens(database: Database): Promise<void> {
  while ((await listeners(database)) > 0);
}

/** Returns the message with which `listen` fails. */
const problemOf = (options: Parameters<typeof createPostgresUsageFeed>[0]): Promise<string> =>
  createPostgresUsageFeed(options)
    .listen()
    .then(
      () => expect.fail('it listens'),
      (fault: unknown) => {
        expect(fault).toBeInstanceOf(UnavailableFault);
        return String(fault);
      },
    );

test('a reader that stops leaves no connection behind', async () => {
  const { url, database, recorder } = await open();
  const subscription = await createPostgresUsageFeed({ listenUrl: url, database }).listen();
  expect(await listeners(database)).toBe(1);
  recorder.used(aTokenId(), START);
  await recorder.flush();
  for await (const counts of subscription) {
    expect(counts).toHaveLength(1);
    break;
  }
  await untilNobodyListens(database);
});

test('a feed that cannot be trusted leaves no connection behind', async () => {
  const [one, other] = [await open(), await open()];
  const problem = await problemOf({ listenUrl: other.url, database: one.database });
  expect(problem).toContain('have to lead to the same database');
  await untilNobodyListens(other.database);
});

test('reports that no server answers', async () => {
  const { database } = await open();
  const listenUrl = 'postgres://gatehouse:hunter2@127.0.0.1:1/gatehouse';
  expect(await problemOf({ listenUrl, database })).not.toContain('hunter2');
});

test('unparsable notifications of other roles are skipped, and reported once', async () => {
  const { url, database, recorder } = await open();
  let reports = 0;
  const onUnreadable = () => {
    reports += 1;
  };
  const subscription = await createPostgresUsageFeed({ listenUrl: url, database, onUnreadable }).listen();
  onTestFinished(() => subscription.close());
  await sql`select pg_notify(${USAGE_CHANNEL}, '{"v":1,"nonce":"of another feed"}')`.execute(
    database.queries,
  );
  for (const payload of ['hello', '{"v":2}', `{"v":1,"usage":[{"id":"foo","uses":1,"at":${START}}]}`]) {
    await sql`select pg_notify(${USAGE_CHANNEL}, ${payload})`.execute(database.queries);
  }
  const id = aTokenId();
  recorder.used(id, START);
  await recorder.flush();
  const { value } = await subscription[Symbol.asyncIterator]().next();
  expect(value).toEqual([{ tokenId: id, uses: 1, refusals: {}, at: START }]);
  expect(reports).toBe(1);
});

test('a waiting reader gets an error when the database stops answering', async () => {
  const { url, database } = await open();
  await using proxy = await openRelay(url);
  const { pause, next, begun } = createPaces();
  const feed = createPostgresUsageFeed({ listenUrl: proxy.url, database, answerWithinMs: 300, pause });
  const subscription = await feed.listen();
  const waiting = subscription[Symbol.asyncIterator]().next();
  await begun();
  await next();
  proxy.stall();
  void next();
  await expect(waiting).rejects.toThrow(/does not answer/);
});

test('a listener that does not read is cut off, because it would fill the shared queue', async () => {
  const { url, database } = await open();
  await using proxy = await openRelay(url);
  const listen = async (listenUrl: string) => {
    const connection = await openListeningConnection({
      url: listenUrl,
      database,
      channel: USAGE_CHANNEL,
      applicationName: 'gatehouse usage feed',
      answerWithinMs: 60_000,
      unreadWithinMs: 500,
      giveUp: new AbortController().signal,
      onNotification: () => {},
      onLost: () => {},
    });
    onTestFinished(() => connection.close());
    return connection;
  };
  await listen(proxy.url);
  const other = await listen(url);
  expect(await listeners(database)).toBe(2);
  proxy.stall();
  for (let round = 0; (await listeners(database)) > 1; round += 1) {
    expect(round).toBeLessThan(300);
    await other.heartbeat();
    await sql`
      select pg_notify(${USAGE_CHANNEL}, repeat('x', 7000) || n)
      from generate_series(1, 200) as n`.execute(database.queries);
  }
});
