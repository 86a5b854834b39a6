import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

// turbo's boundaries also apply to packages of tests, which open databases by our adapters. The shipped part of an
// extension depends on the kit only, which gives it the domain and the database, and on no package of ours that may
// change.
test('of Gatehouse, what an extension ships depends on the kit alone', () => {
  const extensions = globSync('{packages,tooling}/*/turbo.json', { cwd: ROOT })
    .filter((path) => read(path).tags?.includes('extension'))
    .map((path) => read(join(dirname(path), 'package.json')));
  expect(extensions.length).toBeGreaterThan(0);
  const ours = extensions.map(({ name, dependencies = {} }) => [
    name,
    ...Object.keys(dependencies).filter((dependency) => dependency.startsWith('@gatehouse/')),
  ]);
  expect(ours).toEqual(extensions.map(({ name }) => [name, '@gatehouse/extension-kit']));
});
