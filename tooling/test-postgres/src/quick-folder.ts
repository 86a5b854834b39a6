import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';

/** In bytes. A run needs a tenth: a few databases of 9 MB at a time, and their log. */
const NEEDED = 2 ** 31;

/**
 * Where the many small files of test databases cost least. Each database has 300, and on a disk the kernel takes ten
 * times as long to create and remove them. Containers often have next to nothing of this memory; then it is the folder for
 * temporary files.
 */
export async function quickFolder(inMemory = IN_MEMORY, needed = NEEDED): Promise<string> {
  const there = await statfs(inMemory).catch(() => undefined);
  return there !== undefined && there.bavail * there.bsize >= needed ? inMemory : tmpdir();
}
