import { setTimeout as delay } from 'node:timers/promises';
import { notifyChanges, sql } from '@gatehouse/extension-kit/postgres';
import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { createExtensionDatabase, migrateExtension, openDatabase } from '@gatehouse/postgres';
import { describe, expect, test, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { type ApiToken, type Cluster, openCluster } from '../../testing/cluster.ts';
import { revokeUnderLoad } from '../../testing/revocation-load.ts';
import { accepted, figuresOf, outOfTime, warm } from '../../testing/revocation-watch.ts';
import { forgetEverything } from '../../testing/sabotage.ts';

const SIZE = sized({
  short: { revocations: 50, others: 1, rounds: 20, timeoutMs: 180_000 },
  full: { revocations: 2000, others: 2, rounds: 500, timeoutMs: 1_800_000 },
});
const WARM_TOKENS = 5;
/** A row each, which makes 200 a second. */
const APART_MS = 5;
/** Each so many rows one statement changes them all: they are too many to be named. */
const ROWS = 200;

const GAUGES = {
  name: 'gauges',
  migrations: {
    '0001-init': {
      async up(db: Parameters<typeof notifyChanges>[0]) {
        await sql`create table gauges.gauges (id bigint primary key, value bigint not null)`.execute(db);
        await notifyChanges(db, 'gauges.gauges');
      },
    },
  },
};

/** An extension that writes 200 rows a second and more, until it is disposed of. */
async function startWriting({ databaseUrl, nodes }: Cluster) {
  const database = openDatabase({ url: databaseUrl, poolSize: 1 });
  await migrateExtension(database, GAUGES);
  const { change } = createExtensionDatabase(database, GAUGES);
  const write = (statement: ReturnType<typeof sql>) =>
    change(async (tx) => void (await statement.execute(tx)));
  await write(sql`insert into gauges.gauges select n, 0 from generate_series(1, ${ROWS}) as n`);
  const heard = nodes.map(() => ({ row: 0, rows: 0 }));
  for (const [place, { container }] of nodes.entries()) {
    container.services.feed.subscribe((change) => {
      const counts = heard[place];
      // A sabotaged node hears of everything instead.
      if (counts) counts[change.kind === 'row' ? 'row' : 'rows'] += 1;
    });
  }
  let over = false;
  let written = 0;
  const writing = (async () => {
    for (let turn = 0; !over; turn += 1) {
      const id = (turn % ROWS) + 1;
      await write(
        id === ROWS
          ? sql`update gauges.gauges set value = value + 1`
          : sql`update gauges.gauges set value = value + 1 where id = ${id}`,
      );
      written += id === ROWS ? ROWS : 1;
      await delay(APART_MS);
    }
  })();
  writing.catch(() => undefined);
  return {
    heard: (): readonly Readonly<Record<'row' | 'rows', number>>[] => heard,
    written: () => written,
    async [Symbol.asyncDispose]() {
      over = true;
      await writing;
      await database.close();
    },
  };
}

/** How often the nodes read from the database what they keep in memory. */
function misses({ nodes }: Cluster): number {
  const counts = nodes.flatMap(({ container }) => {
    const { signatures, grants, organizations, keys } = container.services.caches.reads();
    return [signatures, grants, organizations, keys];
  });
  return counts.reduce((sum, { miss }) => sum + miss, 0);
}

/** Asks each node with warm tokens, between changes of the extension that it has heard of. */
async function missesWhileWriting(cluster: Cluster, rounds: number) {
  const tokens = await cluster.newTokens(WARM_TOKENS);
  await warm(cluster, tokens);
  await using writing = await startWriting(cluster);
  const before = misses(cluster);
  for (let round = 0; round < rounds; round += 1) {
    const [heard] = writing.heard().map(({ row }) => row);
    await vi.waitUntil(() => writing.heard()[0]?.row !== heard, { timeout: 30_000, interval: 1 });
    await askAll(cluster, tokens);
  }
  await vi.waitUntil(() => writing.heard().every(({ rows }) => rows > 0), { timeout: 60_000 });
  await askAll(cluster, tokens);
  return { misses: misses(cluster) - before, written: writing.written() };
}

async function askAll({ nodes, path }: Cluster, tokens: readonly ApiToken[]) {
  for (const { url } of nodes) {
    for (const { secret } of tokens) await call(url, path, { token: secret });
  }
}

describe('an extension that writes 200 rows a second', () => {
  test(`makes no node read again what it has in memory, in ${SIZE.rounds} rounds`, {
    timeout: SIZE.timeoutMs,
  }, async () => {
    await using cluster = await openCluster({ others: SIZE.others });
    const found = await missesWhileWriting(cluster, SIZE.rounds);
    recordFigures('E2', [
      { name: 'rows written while memory was asked', measured: String(found.written) },
      none('reads of what was in memory', found.misses),
    ]);
    expect(found.misses).toBe(0);
  });

  test(`delays none of ${SIZE.revocations} revocations`, { timeout: SIZE.timeoutMs }, async () => {
    await using cluster = await openCluster({ others: SIZE.others });
    await using writing = await startWriting(cluster);
    const { latenesses, tokens, load } = await revokeUnderLoad(cluster, SIZE.revocations);
    recordFigures('E2', [
      { name: 'rows written while tokens were revoked', measured: String(writing.written()) },
      ...figuresOf(latenesses, { p50: 50, p99: 250 }),
    ]);
    expect(outOfTime(latenesses)).toEqual([]);
    expect(await accepted(cluster, tokens)).toEqual([]);
    expect(load.failures).toEqual([]);
  });

  test('is detected if its changes drop everything', async () => {
    await using cluster = await openCluster({ replace: forgetEverything });
    const found = await missesWhileWriting(cluster, 2);
    expect(found.misses).toBeGreaterThan(0);
  });
});
