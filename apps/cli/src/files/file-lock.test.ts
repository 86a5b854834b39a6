import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { aTemporaryFolder } from '../../testing/temporary-folder.ts';
import { lockFile } from './file-lock.ts';

test('of many that lock a file at once at most one does, and then one alone does, also where a process left its lock', async () => {
  const file = join(await aTemporaryFolder(), 'audit.jsonl');
  const ended = spawnSync(process.execPath, ['--version']).pid;
  for (let round = 0; round < 100; round += 1) {
    if (round % 2 === 1) await writeFile(`${file}.lock.${ended}.left`, '');
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFile(file)));
    const locks = tries.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    expect(locks.length, `round ${round}`).toBeLessThanOrEqual(1);
    await locks[0]?.[Symbol.asyncDispose]();
    await (await lockFile(file))[Symbol.asyncDispose]();
    expect(await readdir(dirname(file))).toEqual([]);
  }
});

test('a lock that another process has is not taken', async () => {
  const file = join(await aTemporaryFolder(), 'audit.jsonl');
  await writeFile(`${file}.lock.${process.ppid}.theirs`, '');
  await expect(lockFile(file)).rejects.toThrow(`Process ${process.ppid} is writing to`);
  expect(await readdir(dirname(file))).toEqual([`audit.jsonl.lock.${process.ppid}.theirs`]);
});
