import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@gatehouse/build-kit';

/** Returns the version of the release, from the root's package.json. A check holds all other places to it. */
export function versionOfRelease(): string {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}
