import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../stage/until.ts';

const MEGABYTE = 1024 * 1024;

/** Mounts an ext4 file system in a file, without a journal, so that freed space can be used at once. */
export async function mountSmallDisk(megabytes: number) {
  const place = await mkdtemp(join(tmpdir(), 'gatehouse-disk-'));
  const [image, folder] = [join(place, 'image'), join(place, 'disk')];
  const filler = join(folder, 'filler');
  try {
    // PostgreSQL runs as another user, who has to enter the folder.
    await chmod(place, 0o711);
    await writeFile(image, '');
    await truncate(image, megabytes * MEGABYTE);
    await mkdir(folder);
    run('mkfs.ext4', '-q', '-F', '-m', '0', '-O', '^has_journal', image);
    run('mount', '-o', 'loop', image, folder);
  } catch (error) {
    await rm(place, { recursive: true });
    throw error;
  }
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (const size of [MEGABYTE, 64 * 1024, 4 * 1024, 1]) write(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    free: () => rm(filler),
    async [Symbol.asyncDispose]() {
      await until('the disk is released', () => unmounted(folder));
      await rm(place, { recursive: true });
    },
  };
}

/** Returns why this machine cannot mount one; undefined if it can. */
export async function obstacleToMounting(): Promise<string | undefined> {
  try {
    await using _ = await mountSmallDisk(1);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').slice(0, 2).join(': ') : String(error);
    return `no small disk can be mounted, which takes root, mkfs.ext4 and loop devices (${reason})`;
  }
}

/** Waits until the disk has no room for the given size. */
function write(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function unmounted(folder: string): boolean {
  try {
    run('umount', folder);
    return true;
  } catch {
    return false;
  }
}
