import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Account } from './account.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Sets mode and owner of a folder through a descriptor, so that it changes the folder that it opened even if that is
 * replaced meanwhile. Does not follow links.
 */
export async function changeFolder(
  path: string,
  change: { readonly mode?: (found: Stats) => number; readonly account?: Account | undefined },
): Promise<void> {
  await using folder = await open(path, FOLDER);
  const { mode, account } = change;
  if (mode !== undefined) await folder.chmod(mode(await folder.stat()));
  if (account !== undefined) await folder.chown(account.uid, account.gid);
}
