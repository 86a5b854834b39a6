import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIST, MANIFEST, withoutEntries } from './registration.ts';
import { folderOf, read } from './workspace.ts';

const PNPM = '.toolchain/node_modules/.bin/pnpm';

/**
 * Removes the extensions of this installation from a copy of the checkout: their lines, and their folders, if they have
 * one. Tests of the product need a copy without extensions, because an extension could have a name that a test uses,
 * and one that is installed by a path is not beside the copy. Returns the script that updates everything that depends
 * on the removed lines.
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
