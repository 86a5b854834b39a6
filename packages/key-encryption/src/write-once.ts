import { randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './system-errors.ts';

export interface FileAccess {
  readonly mode: number;
  /** Default: the current user. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Writes a file durably, unless it already exists. Writes a temporary file, and makes a hard link to it with the final
 * name. The link appears at once and never replaces a file, so no reader sees half of the text. Of several concurrent
 * writers, only one creates the file.
 */
export async function writeOnce(path: string, text: string, { mode, owner }: FileAccess): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    if (owner) await file.chown(owner.uid, owner.gid);
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
    await link(draft, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await synchronize(dirname(path));
}

/** Makes new, renamed and removed names in a folder durable. */
export async function synchronize(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
