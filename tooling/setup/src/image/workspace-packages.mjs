import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The packages that the image runs. */
export const APPS = ['@gatehouse/server', '@gatehouse/cli'];

/**
 * Returns the folders of the packages of the workspace that run in production, without those that only tests need.
 * @param {string} root
 * @returns {string[]} relative to the root
 */
export function productionPackages(root) {
  const manifests = new Map(
    globSync('{apps,packages,tooling,tooling/lab}/*/package.json', { cwd: root }).map((path) => {
      const { name, dependencies = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'));
      return [name, { folder: dirname(path), dependencies: Object.keys(dependencies) }];
    }),
  );
  const found = new Set();
  const waiting = [...APPS];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const manifest = manifests.get(name);
    if (manifest === undefined || found.has(manifest.folder)) continue;
    found.add(manifest.folder);
    waiting.push(...manifest.dependencies);
  }
  return [...found].sort();
}
