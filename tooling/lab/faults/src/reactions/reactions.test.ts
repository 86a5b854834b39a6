import { setTimeout as delay } from 'node:timers/promises';
import { none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import type { Edit } from '@gatehouse/mutations';
import { describe, expect, test } from 'vitest';
import { startReplicatedPostgres } from '../failover/replicated-postgres.ts';
import { untilLed } from '../failover/switched-address.ts';
import { hasHaproxy } from '../stage/haproxy.ts';
import { openPopulated, populate, settingsOf } from '../stage/population.ts';
import { until } from '../stage/until.ts';
import { type EventWriters, openEventWriters } from './event-writers.ts';
import { judge } from './judge-receipts.ts';
import { type ReactingServers, startReactingServers } from './reacting-servers.ts';
import { MOMENTS, type Moment } from './receiver.ts';

const SIZE = sized({
  short: { accounts: 4, rounds: 3, each: 30, failovers: 1, timeoutMs: 120_000 },
  full: { accounts: 20, rounds: 25, each: 25, failovers: 5, timeoutMs: 900_000 },
});
const PAUSE_MS = 20;
/** One in five transactions is rolled back. */
const COMMITTED = (SIZE.accounts * SIZE.rounds * SIZE.each * 4) / 5;
const REPOSITORY = 'postgres/src/reactions/reaction-repository.ts';

const isPossible = hasHaproxy && process.platform === 'linux';
if (!isPossible)
  recordSkip(
    'N1',
    'for the failovers, haproxy is not installed (apt-get install haproxy), or this is not Linux',
  );

/** Longer than servers need after a failure, in milliseconds. */
const QUIET_MS = 20_000;

/** Resolves when everything that was committed was received, or nothing has arrived for long. */
async function untilQuiet({ receiver }: ReactingServers, { written }: EventWriters): Promise<void> {
  let [count, since] = [receiver.receipts.length, performance.now()];
  while (judge(written, receiver.receipts).lost > 0 && performance.now() - since < QUIET_MS) {
    await delay(100);
    if (receiver.receipts.length > count) [count, since] = [receiver.receipts.length, performance.now()];
  }
}

const openWriters = (url: string, mayBreak = false) =>
  openEventWriters({ url, accounts: SIZE.accounts, pauseMs: PAUSE_MS, mayBreak });

interface Killing {
  readonly edits?: readonly Edit[];
  readonly rounds?: number;
  readonly moments?: readonly Moment[];
  readonly killAfterMs?: number;
}

/** Kills a server at each moment in turn, while events are written. */
async function killServers({ edits, rounds = SIZE.rounds, moments = MOMENTS, killAfterMs }: Killing = {}) {
  await using database = await openPopulated();
  const { url, settings } = database;
  await using servers = await startReactingServers({ settings, edits, killAfterMs });
  await using writers = openWriters(url);
  for (let round = 0; round < rounds; round += 1) {
    const killing = servers.receiver.killAt(moments[round % moments.length] ?? 'after').then(servers.replace);
    await Promise.all([writers.write(SIZE.each), killing]);
  }
  await untilQuiet(servers, writers);
  return { ...judge(writers.written, servers.receiver.receipts), committed: writers.committedCount() };
}

interface Calm {
  readonly edits?: readonly Edit[];
  readonly each?: number;
  /** How long a handler takes, in milliseconds: another process could begin the same event meanwhile. */
  readonly answerAfterMs?: number;
}

/** Writes events while no server fails. The servers are restarted in turn, as for an upgrade. */
async function runCalmly({ edits, each = SIZE.rounds * SIZE.each, answerAfterMs = 5 }: Calm = {}) {
  await using database = await openPopulated();
  const { url, settings } = database;
  await using servers = await startReactingServers({ settings, edits, answerAfterMs });
  await using writers = openWriters(url);
  await Promise.all([writers.write(each), servers.restartAll()]);
  await untilQuiet(servers, writers);
  return { ...judge(writers.written, servers.receiver.receipts), committed: writers.committedCount() };
}

/** Fails over under two servers while events are written. */
async function failOver() {
  await using postgres = await startReplicatedPostgres(
    { replication: 'synchronous', openConnections: 'closed' },
    async (url) => void (await populate(settingsOf(url))),
  );
  await untilLed(postgres.address);
  const { url } = postgres.address;
  await using servers = await startReactingServers({ settings: settingsOf(url) });
  await using writers = openWriters(url, true);
  for (let round = 0; round < SIZE.failovers; round += 1) {
    const before = servers.receiver.receipts.length;
    const writing = writers.write(4 * SIZE.each);
    await until('events arrive', () => servers.receiver.receipts.length > before);
    await postgres.killPrimary();
    await postgres.promoteStandby();
    await untilLed(postgres.address);
    await writing;
    await writers.write(SIZE.each);
    await untilQuiet(servers, writers);
    await postgres.replaceStandby();
  }
  const ended = servers.nodes.filter(({ process: { exitCode } }) => exitCode !== null).length;
  return { ...judge(writers.written, servers.receiver.receipts), committed: writers.committedCount(), ended };
}

describe('a reaction on two servers', () => {
  test('gets every committed event in order, and none that was rolled back, although its server is killed', {
    timeout: SIZE.timeoutMs,
  }, async () => {
    const { lost, outOfOrder, phantoms, repeated, committed } = await killServers();
    recordFigures('N1', [
      { name: 'kills of the server that runs it, at three moments', measured: String(SIZE.rounds) },
      none('killed: events committed, lost', lost, committed),
      none('killed: received after a later event of the account', outOfOrder),
      none('killed: received although they were rolled back', phantoms),
      { name: 'killed: received more than once', measured: String(repeated) },
    ]);
    expect({ lost, outOfOrder, phantoms }).toEqual({ lost: 0, outOfOrder: 0, phantoms: 0 });
    expect(committed).toBe(COMMITTED);
    // If no kill had an effect, the test would prove nothing.
    expect(repeated).toBeGreaterThan(0);
  });

  test('gets every event once while no server fails, also when the servers are restarted', {
    timeout: SIZE.timeoutMs,
  }, async () => {
    const { committed, ...judged } = await runCalmly();
    recordFigures('N1', [
      none('restarted: events committed, received more than once', judged.repeated, committed),
    ]);
    expect(judged).toEqual({ lost: 0, outOfOrder: 0, phantoms: 0, repeated: 0 });
    expect(committed).toBe(COMMITTED);
  });

  test.skipIf(!isPossible)(
    'loses nothing in a failover to a synchronous standby',
    {
      timeout: SIZE.timeoutMs,
    },
    async () => {
      const { lost, outOfOrder, phantoms, repeated, committed, ended } = await failOver();
      recordFigures('N1', [
        { name: 'failovers to a synchronous standby', measured: String(SIZE.failovers) },
        none('failovers: events committed, lost', lost, committed),
        none('failovers: received after a later event of the account', outOfOrder),
        none('failovers: received although they were rolled back', phantoms),
        { name: 'failovers: received more than once', measured: String(repeated) },
      ]);
      expect({ lost, outOfOrder, phantoms, ended }).toEqual({
        lost: 0,
        outOfOrder: 0,
        phantoms: 0,
        ended: 0,
      });
      expect(committed).toBeGreaterThan(0);
    },
  );

  test('is detected if it moves on before its lanes are stored', { timeout: 120_000 }, async () => {
    const early: Edit = {
      file: 'domain/src/reactions/advance-reaction.ts',
      find: 'return (await ports.reactions.advance(name, holder, { from, to, addressed, now }))',
      replace: `await ports.reactions.advance(name, holder, { from, to, addressed: [], now });
        await new Promise((pass) => globalThis['set' + 'Timeout'](pass, 200));
        return (await ports.reactions.advance(name, holder, { from: to, to, addressed, now }))`,
    };
    const { lost } = await killServers({
      edits: [early],
      rounds: 2,
      moments: ['addressing'],
      killAfterMs: 100,
    });
    expect(lost).toBeGreaterThan(0);
  });

  test('is detected if two servers run it at once', { timeout: 120_000 }, async () => {
    const greedy: Edit = {
      file: REPOSITORY,
      find: '(holder is null or',
      replace: '(true or',
    };
    expect((await runCalmly({ edits: [greedy], each: 30, answerAfterMs: 200 })).repeated).toBeGreaterThan(0);
  });
});
