import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withLock } from './lock.mjs';
import { SetUpError } from './set-up-error.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-lock-'));
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

it('runs one process at a time, says once that another waits, and leaves nothing behind', async () => {
  const lock = join(folder, 'lock');
  const events: string[] = [];
  const opened = Promise.withResolvers<void>();
  const first = withLock(lock, async () => {
    events.push('first in');
    await opened.promise;
    events.push('first out');
  });
  const second = withLock(lock, async () => events.push('second in'));
  expect(events).toEqual(['first in']);
  opened.resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(['first in', 'first out', 'second in']);
  expect(console.error).toHaveBeenCalledOnce();
  expect(readdirSync(folder)).toEqual([]);
});

it('is released after a failure', async () => {
  const lock = join(folder, 'lock');
  await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(lock, async () => 'in')).toBe('in');
});

it('takes over the lock of a process that has exited', async () => {
  const lock = join(folder, 'lock');
  writeFileSync(lock, String(spawnSync('true').pid));
  expect(await withLock(lock, async () => 'in')).toBe('in');
  expect(readdirSync(folder)).toEqual([]);
});

it('gives up after a time limit, and names the file', async () => {
  const lock = join(folder, 'lock');
  writeFileSync(lock, String(process.pid));
  const attempt = withLock(lock, async () => 'in', 0);
  await expect(attempt).rejects.toThrow(SetUpError);
  await expect(attempt).rejects.toThrow(`remove ${lock}`);
});
