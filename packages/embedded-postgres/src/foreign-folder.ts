import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf } from './files.ts';

const run = promisify(execFile);

/**
 * Keeps root away from data folders of other users. Their owner can replace every file in them by a link, at any time,
 * and so choose what root writes to, changes the mode of, or gives away. `paths` are the data folder and the folder of
 * the database, which may not be there yet.
 *
 * @throws {EmbeddedPostgresError} as root, where one of `paths`, or what it links to, belongs to another user
 */
export async function refuseForeignFolders(paths: readonly string[]): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  for (const path of paths) {
    for (const look of [lstat, stat]) {
      const found = await look(path).catch(undefinedIfMissing);
      if (found === undefined || found.uid === 0) continue;
      const name = await nameOf(found);
      throw new EmbeddedPostgresError(
        'folder_of_another_user',
        `${path} belongs to ${name ?? `the user ${found.uid}`}, who could make root change any file of this machine through it: run this as that user, such as \`${asUser(name, found)} npx gatehouse doctor\`.`,
      );
    }
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function asUser(name: string | undefined, { uid, gid }: Stats): string {
  return name === undefined
    ? `setpriv --reuid ${uid} --regid ${gid} --clear-groups --`
    : `runuser -u ${name} --`;
}

/** In a container, the number of a user may have no name. */
async function nameOf({ uid }: Stats): Promise<string | undefined> {
  try {
    return (await run('id', ['-nu', String(uid)])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
