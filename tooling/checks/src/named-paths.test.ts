import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const exists = (path: string) => existsSync(join(ROOT, path));

/**
 * Returns the paths between backquotes that do not exist. A file name alone belongs to the folder of the path before it
 * on its line; without such a path it means any file of that name.
 */
function missingPaths(page: string): readonly string[] {
  const missing: string[] = [];
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  for (const line of text.split('\n')) {
    let folder: string | undefined;
    for (const [, path = ''] of line.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)) {
      if (path.includes('/')) {
        if (exists(path)) folder = /\.\w+$/.test(path) ? dirname(path) : path;
        else missing.push(path);
      } else if (folder !== undefined && /\.(?:ts|mjs|json|md|ya?ml)$/.test(path)) {
        if (![join(folder, path), path].some(exists)) missing.push(path);
      }
    }
  }
  return missing;
}

const CHANGES = globSync('docs/develop/changes/*.md', { cwd: ROOT });

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/develop/testing.md', ...CHANGES])(
  'every path that %s names exists',
  (page) => {
    expect(missingPaths(page)).toEqual([]);
  },
);

test('ARCHITECTURE.md is read at one sitting: it has at most 15 KB', () => {
  expect(statSync(join(ROOT, 'ARCHITECTURE.md')).size).toBeLessThanOrEqual(15 * 1024);
});
