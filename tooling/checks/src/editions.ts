import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { locationOf } from './documents.ts';

const ROOT = fileURLToPath(locationOf('.'));

/** A released version of Gatehouse. */
export interface Edition {
  readonly version: string;
  /** The day of its last commit, in UTC. */
  readonly date: string;
  readonly commit: string;
  /** The command line, as it is called in a checkout. Missing for versions from which no test upgrades. */
  readonly command?: string;
  /** The path, below its `docs`, of its guide to an extension in a repository of its own. */
  readonly extensionGuide?: string;
}

/** The released versions, the oldest first. The version of this checkout is listed once it is released. */
export const EDITIONS: readonly Edition[] = JSON.parse(
  readFileSync(locationOf('docs/develop/editions.json'), 'utf8'),
);

/** The version of this checkout. */
export const VERSION: string = JSON.parse(readFileSync(locationOf('package.json'), 'utf8')).version;

/** The version from which one upgrades to this one. */
export function editionBefore(): Edition {
  const before = EDITIONS.findLast(({ version }) => version !== VERSION);
  if (before === undefined) throw new Error('docs/develop/editions.json lists no older version');
  return before;
}

/** Whether this clone has the commit. A shallow clone and an archive of the sources do not have it. */
export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}
