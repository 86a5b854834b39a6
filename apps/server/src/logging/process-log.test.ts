import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { closeSync, openSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase, type TestDatabase } from '@gatehouse/test-database';
import { expect, test, vi } from 'vitest';
import { askMany } from '../../testing/ask-many.ts';
import { ME } from '../../testing/client.ts';
import { SCHEMA } from '../../testing/migrate.ts';
import { openPipe } from '../../testing/pipe.ts';
import { spawnServer } from '../../testing/spawn-server.ts';
import { openLog, type ProcessLog } from './process-log.ts';

const MAIN = fileURLToPath(new URL('../../bin/gatehouse-server.js', import.meta.url));

const REQUESTS = 4000;

const settingsFor = ({ url }: TestDatabase) => ({
  DATABASE_URL: url,
  GATEHOUSE_MASTER_KEY: createMasterKey(),
  ACCESS_LOG: 'on',
});

/** Sends refused requests until their lines fill every buffer between a server and the reader of its log. */
async function fillLog(url: string): Promise<void> {
  const garbage = Array.from({ length: REQUESTS }, (_, index) => `garbage${index}`);
  expect([...(await askMany(url, ME, garbage))]).toEqual([[401, REQUESTS]]);
}

test('a reader that pauses stops no request, and finds all lines later', async ({ signal }) => {
  await using database = await createTestDatabase(SCHEMA);
  await using server = spawnServer(settingsFor(database));
  signal.addEventListener('abort', () => server.process.kill('SIGKILL'));
  const url = await server.serving();
  server.process.stdout?.pause();
  await fillLog(url);

  server.process.stdout?.resume();
  expect(await server.stop()).toBe(0);
  const lines = server.out().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 401)).toHaveLength(REQUESTS);
});

test('a server whose log is not read still exits', async ({ signal }) => {
  await using database = await createTestDatabase(SCHEMA);
  await using pipe = await openPipe();
  // Opened anew: one that blocks, as a shell gives it.
  const stdout = openSync(pipe.path, 'r+');
  const server = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...settingsFor(database), PORT: '0', OPS_PORT: '0' },
    stdio: ['ignore', stdout, 'ignore'],
  });
  closeSync(stdout);
  signal.addEventListener('abort', () => server.kill('SIGKILL'));
  const ended = once(server, 'exit');
  const [line = ''] = await pipe.readUntil('"serving"');
  await fillLog(JSON.parse(line).url);
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a log that cannot be written, for example to a full disk, does not stop the server', async () => {
  const { log, end } = openLog('info', openSync('/dev/full', 'w'));
  for (let index = 0; index < 3; index++) log.info('said');
  await end();
});

const TEXT = 'x'.repeat(1000);

/**
 * Logs all at once, in a process with this much room for waiting lines, in bytes. Returns the entries that were
 * written.
 */
async function entriesOf(waitingLimit: number, write: (log: ProcessLog['log']) => void) {
  await using pipe = await openPipe();
  const { log, end } = openLog('info', pipe.fd, waitingLimit);
  write(log);
  const ended = end(10_000);
  const lines = await pipe.readToEnd(ended);
  return lines.map((line) => JSON.parse(line));
}

function times(count: number, write: (index: number) => void): void {
  for (let index = 0; index < count; index += 1) write(index);
}

const logRefused = (log: ProcessLog['log'], count: number) =>
  times(count, (index) =>
    log.info(
      { kind: 'refused', reason: 'not_found', token_id: index % 100, user_id: index % 100, text: TEXT },
      'refused',
    ),
  );

test('while lines are being lost, the log reports their number regularly', async () => {
  await using pipe = await openPipe();
  const { log, end } = openLog('info', pipe.fd, 20_000);
  times(200, () => log.info({ text: TEXT }, 'said'));
  const [lost] = (await pipe.readUntil('"lines":')).filter((line) => line.includes('"lines":'));
  expect(JSON.parse(lost ?? '').lines).toBeGreaterThan(100);
  await pipe.readToEnd(end());
});

test('sign-ins have a buffer of their own and are written first', async () => {
  const entries = await entriesOf(200_000, (log) => {
    logRefused(log, 2000);
    times(2000, (index) => log.warn({ text: TEXT, index }, 'said'));
    times(2000, () => log.info({ kind: 'sign_in', outcome: 'too_many_attempts', text: TEXT }, 'sign-in'));
    times(20, (index) => log.info({ kind: 'sign_in', outcome: 'accepted', index, text: TEXT }, 'sign-in'));
  });
  const accepted = entries.filter(({ outcome }) => outcome === 'accepted');
  expect(accepted.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  // One piece was being written before they came.
  expect(entries.findIndex(({ outcome }) => outcome === 'accepted')).toBeLessThan(10);
});

/** More lines in each turn of the event loop than one write to a pipe holds, and in all more than may wait. */
const TURNS = 50;
const LINES_PER_TURN = 40;
const TURN_WAITING_LIMIT = 500_000;

test('all lines of a turn of the event loop are written to a file at once', async () => {
  let written = '';
  const write = vi.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
    const text = String(args[1]);
    written += text;
    const done = args.at(-1) as (error: null, bytes: number) => void;
    setImmediate(() => done(null, Buffer.byteLength(text)));
  }) as never);
  const { log, end } = openLog('info', openSync('/dev/null', 'w'), TURN_WAITING_LIMIT);
  for (let index = 0; index < TURNS; index += 1) {
    times(LINES_PER_TURN, () => log.info({ text: TEXT }, 'said'));
    await turn();
    await turn();
  }
  await end();
  write.mockRestore();
  expect(written.match(/"msg":"said"/g)).toHaveLength(TURNS * LINES_PER_TURN);
});

test('all lines of a turn of the event loop reach a pipe whose reader keeps up', async () => {
  await using pipe = await openPipe();
  const { log, end } = openLog('info', pipe.fd, TURN_WAITING_LIMIT);
  let read = '';
  for (let index = 0; index < TURNS; index += 1) {
    times(LINES_PER_TURN, () => log.info({ text: TEXT }, 'said'));
    await turn();
    await turn();
    read += pipe.readNow();
  }
  const rest = await pipe.readToEnd(end(10_000));
  expect((read + rest.join('\n')).match(/"msg":"said"/g)).toHaveLength(TURNS * LINES_PER_TURN);
});

test('refused sign-ins have a buffer separate from that of refused tokens', async () => {
  const entries = await entriesOf(200_000, (log) => {
    logRefused(log, 2000);
    times(2000, () => log.info({ text: TEXT }, 'said'));
    times(20, (index) =>
      log.info({ kind: 'sign_in', outcome: 'too_many_attempts', index, text: TEXT }, 'sign-in'),
    );
  });
  const refused = entries.filter(({ outcome }) => outcome === 'too_many_attempts');
  expect(refused.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('refused tokens have a buffer separate from that of other lines', async () => {
  const entries = await entriesOf(200_000, (log) => {
    times(2000, () => log.info({ text: TEXT }, 'said'));
    times(20, () => log.info({ kind: 'refused', reason: 'not_found', token_id: 't', text: TEXT }, 'refused'));
  });
  expect(entries.filter(({ kind }) => kind === 'refused')).toHaveLength(20);
});

test('lost lines are counted by buffer', async () => {
  const entries = await entriesOf(20_000, (log) => {
    for (const outcome of ['accepted', 'failed', 'hashing_busy', 'too_many_attempts'])
      times(200, () => log.info({ kind: 'sign_in', outcome, text: TEXT }, 'sign-in'));
    logRefused(log, 200);
    times(200, () => log.info({ text: TEXT }, 'said'));
  });
  const written = (isOne: (outcome: unknown) => boolean) =>
    entries.filter(({ kind, outcome }) => kind === 'sign_in' && isOne(outcome)).length;
  const lost = entries.filter(({ lines }) => lines !== undefined);
  expect(lost).toMatchObject([
    {
      level: 'error',
      kind: 'lines_lost',
      msg: 'lines of the log were lost, because standard output did not accept them fast enough',
      lines: 1200 - (entries.length - 1),
      sign_ins: 200 - written((outcome) => outcome === 'accepted'),
      refused_sign_ins: 600 - written((outcome) => outcome !== 'accepted'),
      refusals: 200 - entries.filter(({ kind }) => kind === 'refused').length,
    },
  ]);
});

test('pending counts of repeated and lost lines are written at the end', async () => {
  const entries = await entriesOf(20_000, (log) => {
    times(500, (index) => log.warn({ request_id: `r-${index}` }, 'not available'));
    times(200, () => log.info({ text: TEXT }, 'said'));
  });
  const warnings = entries.filter(({ msg }) => msg === 'not available');
  const said = entries.filter(({ msg }) => msg === 'said');
  const lost = entries.find(({ lines }) => lines !== undefined);
  expect(warnings[0]).toMatchObject({ request_id: 'r-0' });
  // The summary itself finds no room here, and is counted.
  expect(lost.lines + said.length + warnings.length).toBe(202);
});

test('lines are written in pieces that a pipe does not interleave, and none is broken', async () => {
  const write = vi.spyOn(fs, 'writeSync');
  const long = 'x'.repeat(20_000);
  const entries = await entriesOf(2_000_000, (log) => {
    times(100, (index) => log.info({ index }, 'short'));
    log.info({ long }, 'long');
    times(100, (index) => log.info({ index }, 'short'));
  });
  const pieces = write.mock.calls.map(([, text]) => String(text));
  write.mockRestore();
  expect(entries).toHaveLength(201);
  expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true);
  expect(pieces.filter((piece) => Buffer.byteLength(piece) > 4096)).toEqual([
    expect.stringMatching(/^[^\n]+x{20000}[^\n]+\n$/),
  ]);
});

test('long lines stay whole even if a full pipe accepts them in parts', async () => {
  const long = 'x'.repeat(20_000);
  const entries = await entriesOf(8_000_000, (log) =>
    times(20, (index) => log.info({ index, long }, 'long')),
  );
  expect(entries).toMatchObject(Array.from({ length: 20 }, (_, index) => ({ index, long })));
});

test('what is logged after the end is ignored', async () => {
  await using pipe = await openPipe();
  const { log, end } = openLog('info', pipe.fd);
  await pipe.readToEnd(end());
  expect(() => log.warn('late')).not.toThrow();
});
