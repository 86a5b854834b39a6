import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import type { Edit } from '@gatehouse/mutations';
import { openTableLock } from '@gatehouse/test-database';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { askAs, newTokens, poolAtRest } from '../pool-exhausted/slow-statements.ts';
import { verdictOf } from '../stage/ask.ts';
import { runGatehouse } from '../stage/commands.ts';
import { registering, THE_EXAMPLE } from '../stage/example-extension.ts';
import { startNode } from '../stage/node.ts';
import { openPopulated, type PopulatedDatabase } from '../stage/population.ts';
import { repeat } from '../stage/repeat.ts';
import { sabotage } from '../stage/sabotage.ts';
import { until } from '../stage/until.ts';
import { mended, SECRET } from './gauges.ts';

const SIZE = sized({
  short: { requests: 20, rounds: 1, timeoutMs: 120_000 },
  full: { requests: 100, rounds: 20, timeoutMs: 900_000 },
});
/** How many connections of the pool an extension may have. */
const CONNECTIONS = 3;
/**
 * After this time without an answer, a request counts as never answered, in milliseconds; longer than an extension's
 * routes may take.
 */
const NEVER_MS = 14_000;
/** After this time without a request, an extension uses no connection, in milliseconds. */
const AT_REST_MS = 8_000;

const DATABASE = 'packages/postgres/src/extensions/extension-database.ts';
const GAUGES = { module: new URL('gauges.ts', import.meta.url), name: 'gauges' };

/** A database and the settings of processes that have the faulty extension and the example. */
async function openWithGauges(...edits: readonly Edit[]) {
  const database = await openPopulated();
  const settings = { ...database.settings, ...sabotage(registering(GAUGES, THE_EXAMPLE), ...edits) };
  return { ...database, settings };
}

async function tablesOf({ url }: PopulatedDatabase, schema: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind = 'r' and relnamespace = to_regnamespace($1) and relname not like 'gatehouse%'`,
      [schema],
    );
    return rows.map(({ name }) => name).toSorted();
  } finally {
    await client.end();
  }
}

/** Migrates half of it, and starts a server. */
async function startHalfMigrated(database: PopulatedDatabase) {
  const { settings, token, path } = database;
  const migrated = await runGatehouse(settings, ['migrate']);
  const doctor = await runGatehouse(settings, ['doctor']);
  const node = await startNode(settings);
  const ask = (at: string) => askAs(`${node.url}${at}`, token);
  await until('it is served', async () => (await ask(path)).status === 200);
  return {
    migrated,
    doctor,
    gauge: () => ask('/api/v1/gauges/none'),
    served: (at: string) => verdictOf(`${node.url}${at}`, token),
    others: () =>
      Promise.all([path, `${path}/shift-notes`].map((at) => verdictOf(`${node.url}${at}`, token))),
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  };
}

describe.concurrent('an extension whose migration fails half-way', () => {
  test('is unavailable alone until it is mended, is named by doctor, and leaves no half of a migration', {
    timeout: SIZE.timeoutMs,
  }, async () => {
    await using database = await openWithGauges();
    await using server = await startHalfMigrated(database);
    expect(server.migrated).toMatchObject({
      status: 1,
      errors: expect.stringContaining('The extension gauges was not migrated'),
    });
    expect(server.doctor).toMatchObject({ status: 6, out: expect.stringContaining('gauges') });
    expect(await tablesOf(database, 'gauges')).toEqual(['gauges']);
    expect(await server.gauge()).toMatchObject({ status: 503, retryAfter: '1' });
    expect(await server.others()).toEqual([200, 200]);

    const again = await runGatehouse({ ...database.settings, ...mended }, ['migrate']);
    expect(again.status).toBe(0);
    expect(await tablesOf(database, 'gauges')).toEqual(['gauges', 'half']);
    // The server was not restarted: it reads the state again for the next request.
    expect(await server.served('/api/v1/gauges/none')).toBe(200);
    expect(await server.others()).toEqual([200, 200]);
  });

  test('is detected if its routes are served by half of its tables', { timeout: 60_000 }, async () => {
    const neverBehind = { file: DATABASE, find: `(await state()) === 'behind'`, replace: 'false' };
    await using database = await openWithGauges(neverBehind);
    await using server = await startHalfMigrated(database);
    expect((await server.gauge()).status).not.toBe(503);
  });
});

/** A server with the migrated extension, and requests to its faults while others read what is not cached. */
async function startFaulty(...edits: readonly Edit[]) {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openWithGauges(...edits));
  const settings = { ...database.settings, ...mended };
  expect((await runGatehouse(settings, ['migrate'])).status).toBe(0);
  const node = opened.use(await startNode(settings));
  const { email, token, path } = database;

  /**
   * Requests that need the database, each with a token of its own; returns those that are refused twice in a row. On a busy
   * machine a read may exceed its time limit once.
   */
  async function readUncached() {
    const secrets = await newTokens(settings, email, SIZE.requests);
    const refused: number[] = [];
    const read = async (secret: string) => (await askAs(`${node.url}${path}`, secret)).status;
    for (const secret of secrets) {
      const status = (await read(secret)) === 200 ? 200 : await read(secret);
      if (status !== 200) refused.push(status);
    }
    return refused;
  }

  async function ask(fault: string) {
    const response = await fetch(`${node.url}/api/v1/gauges/${fault}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(NEVER_MS),
    }).catch(() => undefined);
    return { status: response?.status, text: (await response?.text()) ?? '' };
  }

  const untilServed = () => until('it is served', async () => (await ask('none')).status === 200);
  // Otherwise the concurrent requests would all wait for the first read of their token.
  await untilServed();
  const kept = opened.move();
  return {
    node,
    database,
    readUncached,
    ask,
    untilServed,
    askMany: (fault: string) => Promise.all(Array.from({ length: SIZE.requests }, () => ask(fault))),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const statusesOf = (answers: readonly { readonly status: number | undefined }[]) =>
  [...new Set(answers.map(({ status }) => status))].toSorted();

/** Lets statements of the extension wait for its table, and reads what is not cached meanwhile. */
async function slowDown({ node, database, askMany, readUncached }: Awaited<ReturnType<typeof startFaulty>>) {
  await using lock = await openTableLock(database.url, 'gauges.gauges');
  await lock.take();
  const asking = askMany('slow_statement');
  let held = 0;
  const watching = repeat(20, async () => {
    held = Math.max(held, await lock.waitingReads());
  });
  await until('statements wait', () => held >= CONNECTIONS);
  const refused = await readUncached();
  await watching.stop();
  await lock.release();
  const answers = await asking;
  return { refused, held, answers, pool: await poolAtRest(node, AT_REST_MS) };
}

/** Lets operations of the extension begin transactions that they do not end. */
async function holdConnections({ node, askMany, readUncached }: Awaited<ReturnType<typeof startFaulty>>) {
  const holding = askMany('held_connection');
  const refused = await readUncached();
  const answers = await holding;
  return { refused, answers, busy: (await poolAtRest(node, AT_REST_MS)).busy };
}

describe.concurrent('the faults of an extension', () => {
  test('that throws or never settles are answers of its own', { timeout: SIZE.timeoutMs }, async () => {
    await using server = await startFaulty();
    const stuck = server.askMany('never_settles');
    const thrown = await server.askMany('thrown');
    // On a busy machine the read of a caller may exceed its time limit before the operation begins.
    expect([[500], [500, 503]]).toContainEqual(statusesOf(thrown));
    expect(thrown.filter(({ text }) => text.includes(SECRET))).toEqual([]);
    const refused = await server.readUncached();
    expect(refused).toEqual([]);
    expect(statusesOf(await stuck)).toEqual([503]);
    await server.untilServed();
    recordFigures('E1', [
      {
        name: 'operations that throw, and that never settle',
        measured: `${SIZE.requests}, ${SIZE.requests}`,
      },
      none('other requests refused meanwhile', refused.length, SIZE.requests),
    ]);
  });

  test('with slow statements hold three connections', { timeout: SIZE.timeoutMs }, async () => {
    await using server = await startFaulty();
    let [refused, most] = [0, 0];
    for (let round = 0; round < SIZE.rounds; round += 1) {
      const slow = await slowDown(server);
      expect(slow.pool).toEqual({ busy: 0, waiting: 0 });
      expect([[200, 503], [200], [503]]).toContainEqual(statusesOf(slow.answers));
      refused += slow.refused.length;
      most = Math.max(most, slow.held);
    }
    recordFigures('E1', [
      { name: 'rounds of slow statements', measured: String(SIZE.rounds) },
      {
        name: 'connections that they hold',
        measured: String(most),
        bar: `${CONNECTIONS}`,
        holds: most <= CONNECTIONS,
      },
      none('other requests refused meanwhile', refused, SIZE.rounds * SIZE.requests),
    ]);
    expect([most, refused]).toEqual([CONNECTIONS, 0]);
  });

  test('that hold connections for ever lose them', { timeout: SIZE.timeoutMs }, async () => {
    await using server = await startFaulty();
    const { refused, answers, busy } = await holdConnections(server);
    expect([refused, statusesOf(answers), busy]).toEqual([[], [503], 0]);
    await server.untilServed();
  });

  test('are detected if nothing takes a held connection back', { timeout: 60_000 }, async () => {
    const share = 'packages/postgres/src/database/pool/pool-share.ts';
    const forgetful = { file: share, find: 'MAX_IDLE_MS = 12_000', replace: 'MAX_IDLE_MS = 1e9' };
    await using server = await startFaulty(forgetful);
    expect(await holdConnections(server)).toMatchObject({ busy: CONNECTIONS });
  });

  test('are detected if nothing ends its requests', { timeout: 60_000 }, async () => {
    const patient = {
      file: 'server/src/extension-routes.ts',
      find: 'ANSWER_WITHIN_MS = 10_000',
      replace: 'ANSWER_WITHIN_MS = 1e9',
    };
    await using server = await startFaulty(patient);
    expect((await server.ask('never_settles')).status).toBeUndefined();
  });

  test('are detected if its statements may have every connection', { timeout: 60_000 }, async () => {
    const greedy = [
      { file: DATABASE, find: 'MAX_CONNECTIONS = 3', replace: 'MAX_CONNECTIONS = 99' },
      { file: 'pool/lanes.ts', find: 'Math.ceil(poolSize / 2)', replace: 'poolSize' },
    ];
    await using server = await startFaulty(...greedy);
    const { refused, held } = await slowDown(server);
    expect(held).toBeGreaterThan(CONNECTIONS);
    expect(refused.length).toBeGreaterThan(0);
  });
});
