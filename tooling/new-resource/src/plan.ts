import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOfCopy, takenClaims } from './claims.ts';
import { copiedFiles, identifiersOfExample } from './copy.ts';
import type { Names } from './names.ts';
import { RefusedError } from './options.ts';
import { problemsOfNames } from './problems.ts';
import { registered } from './registration.ts';
import { folderOf, ROOT } from './workspace.ts';

/** The files that making a resource writes: texts by paths from the root. */
export interface Plan {
  readonly names: Names;
  readonly made: ReadonlyMap<string, string>;
  readonly changed: ReadonlyMap<string, string>;
}

/**
 * Plans a resource of that name, without writing anything.
 *
 * @throws RefusedError if its name is taken or cannot be used
 */
export async function planResource(names: Names): Promise<Plan> {
  const [claims, taken] = await Promise.all([claimsOfCopy(names), takenClaims()]);
  const problems = problemsOfNames(names, claims, taken, identifiersOfExample());
  if (problems.length > 0) throw new RefusedError(problems.join('\n'));
  const folder = folderOf(names.several);
  if (existsSync(join(ROOT, folder))) {
    throw new RefusedError(
      `${folder} is there, and nothing is overwritten: take it away, or choose another name.`,
    );
  }
  return { names, made: copiedFiles(names), changed: registered(names) };
}
