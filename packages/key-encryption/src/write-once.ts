import { randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface FileAccess {
  readonly mode: number;
  /** Default: the current user. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Writes a file durably, by default readable by its owner only, unless it exists. Uses a hard link, which appears
 * atomically and replaces nothing: no reader sees half a file, and one of several concurrent writers wins.
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

/** Makes changes to the names in a folder durable. */
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
