import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHashingThreads } from './index.ts';

const PARAMETERS = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

/** The niceness of each thread of this process: field 19 of its line, without the name in brackets. */
function niceness(): readonly number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

describe('The hashing threads', () => {
  it.runIf(process.platform === 'linux')('have the lowest priority, and no other thread does', async () => {
    const before = niceness();
    const threads = createHashingThreads();
    await Promise.all([1, 2].map(() => threads.hash('correct horse', PARAMETERS)));
    expect(niceness().filter((nice) => nice === 19)).toHaveLength(
      before.filter((nice) => nice === 19).length + 2,
    );
  });

  it('are reused', async () => {
    const threads = createHashingThreads(new URL('../testing/counting-thread.ts', import.meta.url));
    for (let time = 1; time <= 3; time += 1) {
      expect(await threads.hash('correct horse', PARAMETERS)).toBe(`${time}`);
    }
  });

  it.each(['while-starting', 'while-working'])(
    'fail what they were asked for when they end %s',
    async (when) => {
      const threads = createHashingThreads(
        new URL(`../testing/thread-that-ends-${when}.ts`, import.meta.url),
      );
      for (let time = 1; time <= 3; time += 1) {
        await expect(threads.hash('correct horse', PARAMETERS)).rejects.toThrow('ended with status 3');
      }
    },
  );

  it.each([
    ['while idle', 0],
    ['before their answer is read', 300],
  ])('are replaced if they exit %s', async (_, busyMs) => {
    const started = once(process, 'worker');
    const threads = createHashingThreads(
      new URL('../testing/thread-that-ends-when-idle.ts', import.meta.url),
    );
    const hashed = threads.hash('correct horse', PARAMETERS);
    const [thread] = await started;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
    expect(await hashed).toBe('1');
    if (thread.threadId !== -1) await once(thread, 'exit');
    expect(await threads.hash('correct horse', PARAMETERS)).toBe('1');
  });

  it('finish active hashes, and then do not keep the process alive', () => {
    const script = `
      import { createHashingThreads } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
      const hash = await createHashingThreads().hash('correct horse', ${JSON.stringify(PARAMETERS)});
      process.stdout.write(hash.slice(0, 9));`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    expect([stdout, status]).toEqual(['$argon2id', 0]);
  });
});
