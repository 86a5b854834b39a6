import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLCHAIN_MANIFEST } from '@gatehouse/setup/toolchain-lock';

/** A package of npm's registry that contains Node. */
export interface NodePackage {
  readonly name: string;
  readonly version: string;
}

/** Returns the packages that the set-up installs where Node is too old, by platform, such as `linux-x64`. */
export function readNodePackages(): Readonly<Record<string, NodePackage>> {
  const { optionalDependencies } = JSON.parse(readFileSync(join(TOOLCHAIN_MANIFEST, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries<string>(optionalDependencies).map(([name, version]) => [
      name.replace(/^node-(bin-)?/, ''),
      { name, version },
    ]),
  );
}
