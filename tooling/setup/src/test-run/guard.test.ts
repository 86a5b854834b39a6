import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processesWith } from './processes.mjs';

let folder: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-killed-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a script of the testing folder with its temporary files in the folder; returns what it prints until a line is there. */
function start(script: string) {
  const { GATEHOUSE_TEST_RUN: _, VITEST: __, ...outer } = process.env;
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`../../testing/${script}`, import.meta.url))],
    {
      env: { ...outer, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const printed = (wanted: RegExp) =>
    expect
      .poll(() => output, { timeout: 60_000 })
      .toMatch(wanted)
      .then(() => wanted.exec(output) as RegExpExecArray);
  return { child, printed, output: () => output };
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('after a killed run, its processes are ended, even one that ignores signals, and its folder is removed', async () => {
  const { child, printed } = start('run-with-leftovers.mjs');
  const [line] = await printed(/^\{.*\}$/m);
  const left: { folder: string; pids: number[] } = JSON.parse(line);
  expect(left.pids.map(isRunning)).toEqual([true, true]);
  child.kill('SIGKILL');
  await expect.poll(() => left.pids.map(isRunning), { timeout: 60_000 }).toEqual([false, false]);
  await expect.poll(() => existsSync(left.folder), { timeout: 60_000 }).toBe(false);
});

describe('a run of tests leaves no PostgreSQL, no other process and no file if it is ended', () => {
  test.each([
    ['npm', 'SIGTERM'],
    ['launcher', 'SIGINT'],
    ['launcher', 'SIGKILL'],
    ['vitest', 'SIGKILL'],
  ] as const)(
    'by sending %s the signal %s',
    async (to, signal) => {
      const { child, printed, output } = start('killable-run.mjs');
      await printed(/PostgreSQL for the tests: /);
      const [run = ''] = readdirSync(folder);
      const left = () =>
        [basename(folder), run].flatMap(processesWith).filter(({ pid }) => pid !== child.pid);
      expect(left().map(({ program }) => basename(program))).toContain('postgres');
      const [runner] = processesWith('vitest.mjs').filter(({ pid }) =>
        left().some((each) => each.pid === pid),
      );
      const [, launcher] = /^launcher (\d+)$/m.exec(output()) ?? [];
      const pid = { npm: child.pid, launcher: Number(launcher), vitest: runner?.pid }[to];
      process.kill(pid ?? expect.fail('it does not run'), signal);
      await expect.poll(left, { timeout: 60_000 }).toEqual([]);
      await expect.poll(() => readdirSync(folder), { timeout: 60_000 }).toEqual([]);
      await expect.poll(() => readdirSync('/dev/shm').filter((name) => name.startsWith(run))).toEqual([]);
      expect(output()).not.toContain('Test Files');
    },
    200_000,
  );
});
