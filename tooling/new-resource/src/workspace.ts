import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The checkout that a resource is made in: this one. */
export const ROOT = join(import.meta.dirname, '../../..');

/** The folder of the package that is copied. */
export const EXAMPLE = 'tooling/shift-notes';

/** The folder of the copy. Both folders have the same depth, so relative paths between packages still work. */
export const folderOf = (several: string): string => `packages/${several}`;

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the paths of the files of a folder, but for what tools put there. */
export const filesBelow = (folder: string): readonly string[] =>
  globSync('**/*', {
    cwd: join(ROOT, folder),
    withFileTypes: true,
    exclude: ['**/node_modules', '**/.turbo'],
  })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(ROOT, folder).length + 1))
    .toSorted();
