import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIST, MANIFEST, withoutEntries } from './registration.ts';
import { folderOf, read } from './workspace.ts';

const PNPM = '.toolchain/node_modules/.bin/pnpm';

/**
 * Takes the extensions of this installation out of a copy of the checkout: their lines, and the folders of those that
 * have one. A test of the product copies it without them: their names could be those that the test takes, and one that
 * is installed by a path is not beside the copy. Returns the script that brings up to date what follows from it.
 */
export function takeOutExtensions(copy: string): string {
  const { list, manifest, taken } = withoutEntries(read(LIST), read(MANIFEST));
  if (taken.length === 0) return 'true';
  writeFileSync(join(copy, LIST), list);
  writeFileSync(join(copy, MANIFEST), manifest);
  for (const name of taken) {
    rmSync(join(copy, folderOf(name.replace('@gatehouse/', ''))), { recursive: true, force: true });
  }
  return `${PNPM} install --lockfile-only --offline && node tooling/setup/setup.mjs && node tooling/checks/src/write-docs.ts`;
}
