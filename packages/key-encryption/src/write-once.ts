import { randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface FileAccess {
  readonly mode: number;
  /** By default, the current user. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Writes a file, by default for its owner only, durably, unless there is one already, which is left as it is. A link
 * appears at once and replaces nothing: nobody can read half a file, and of several writers one wins.
 */
export async function writeOnce(
  path: string,
  text: string,
  { mode, owner }: FileAccess = { mode: 0o600 },
): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      if (owner) await file.chown(owner.uid, owner.gid);
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await synchronize(dirname(path));
}

/** What was done to the names in a folder is kept from now on. */
export async function synchronize(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
