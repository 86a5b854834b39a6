import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';

/** In bytes. A run needs a third: databases of 9 MB and data folders of 50 MB, some at a time, and their logs. */
const NEEDED = 3 * 2 ** 30;

/**
 * Where the many small files of test databases cost least. Each database has 300, and on a disk the kernel takes ten times as long
 * to create and remove them. Containers often have next to nothing of this memory; then it is the folder for temporary files.
 *
 * @returns a folder that goes with the run of tests (`openRunFolder` in `tooling/setup`)
 */
export function quickFolder(inMemory = IN_MEMORY, needed = NEEDED): string {
  const { GATEHOUSE_TEST_RUN: run } = process.env;
  if (run === undefined || roomIn(inMemory) < needed) return tmpdir();
  const folder = join(inMemory, run);
  mkdirSync(folder, { recursive: true });
  // As the folder it is in: tests have several users.
  if (process.getuid?.() === 0) chmodSync(folder, 0o1777);
  return folder;
}

/** In bytes; 0 where there is no such place. */
function roomIn(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
