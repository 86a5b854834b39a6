import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

/**
 * Explains a program's failure: names the first folder above one of `paths` that the account may not enter,
 * which is usually root's own home.
 */
export async function findBarrier(account: Account | undefined, paths: readonly string[]) {
  if (account === undefined) return undefined;
  for (const path of paths) {
    for (const folder of ancestors(path)) {
      const { mode, uid, gid } = await stat(folder);
      const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) {
        const shown = (mode & 0o777).toString(8);
        return `PostgreSQL refuses to run as root, and the user it runs as instead cannot pass ${folder} (mode ${shown}): move the checkout elsewhere, or start this as an ordinary user.`;
      }
    }
  }
  return undefined;
}

function ancestors(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...ancestors(parent), parent];
}
