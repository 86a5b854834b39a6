import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const exists = (path: string) => existsSync(join(ROOT, path));

/** The places a path may mean: ARCHITECTURE.md lets it start at its package. */
function placesOf(path: string): readonly string[] {
  const [name = '', ...rest] = path.split('/');
  const below = rest[0]?.startsWith('testing') ? rest : ['src', ...rest];
  return [path, ...['packages', 'apps'].map((folder) => join(folder, name, ...below))];
}

/**
 * The paths between backquotes that do not exist. A file name alone stands in the folder of the path before it; without
 * one on its line it means any file of that name.
 */
function missingPaths(page: string): readonly string[] {
  const missing: string[] = [];
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  for (const line of text.split('\n')) {
    let folder: string | undefined;
    for (const [, path = ''] of line.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)) {
      if (path.includes('/')) {
        const place = placesOf(path).find(exists);
        if (place === undefined) missing.push(path);
        else folder = /\.\w+$/.test(place) ? dirname(place) : place;
      } else if (folder !== undefined && /\.(?:ts|mjs|json|md|ya?ml)$/.test(path)) {
        if (![join(folder, path), path].some(exists)) missing.push(path);
      }
    }
  }
  return missing;
}

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/develop/testing.md'])(
  'every path that %s names exists',
  (page) => {
    expect(missingPaths(page)).toEqual([]);
  },
);
