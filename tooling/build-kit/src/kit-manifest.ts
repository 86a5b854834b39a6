import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Materials } from './bill-of-materials.ts';
import { ROOT } from './run.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** Libraries that kit and extension share: there is one copy. */
const SHARED = new Set(['zod']);

/** Returns the manifest of a packed package, whose exports are the emitted files of `folder`. */
export function kitManifest(name: string, folder: string) {
  const { exports, description, ...manifest } = manifestIn(join(ROOT, 'packages', name));
  const libraries = [...importedBy(folder)].filter((library) => library !== manifest.name).toSorted();
  const ours = libraries.filter((library) => library.startsWith('@gatehouse/'));
  const shared = libraries.filter((library) => SHARED.has(library));
  const own = libraries.filter((library) => ![...ours, ...shared].includes(library));
  const versionOf = (library: string) =>
    manifestIn(join(ROOT, 'packages', name, 'node_modules', library)).version;
  return {
    name: manifest.name,
    version: manifest.version,
    license: manifest.license,
    description,
    type: 'module',
    engines: { node: '>=24' },
    files: ['src', 'testing', 'CHANGELOG.md'],
    exports: Object.fromEntries(
      Object.entries(exports)
        .filter(([entry]) => entry !== './testing/contracts')
        .map(([entry, path]) => [entry, emitted(path)]),
    ),
    dependencies: Object.fromEntries(own.map((library) => [library, versionOf(library)])),
    peerDependencies: Object.fromEntries([
      ...ours.map((library) => [library, versionOf(library)]),
      ...shared.map((library) => [library, `^${versionOf(library)}`]),
    ]),
    // Otherwise package managers would look for a package of our name in a registry.
    peerDependenciesMeta: Object.fromEntries(ours.map((library) => [library, { optional: true }])),
  };
}

/** Returns the libraries that an installation of a packed package brings, and those that its user chooses. */
export function materialsOf(name: string, manifest: ReturnType<typeof kitManifest>): Materials {
  const idOf = (library: string) =>
    `${library}@${manifestIn(join(ROOT, 'packages', name, 'node_modules', library)).version}`;
  const peers = Object.keys(manifest.peerDependencies).filter((peer) => SHARED.has(peer));
  return { installed: Object.keys(manifest.dependencies).map(idOf), optional: peers.map(idOf) };
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function emitted(path: string) {
  const name = path.replace(/\.ts$/, '');
  return { types: `${name}.d.ts`, default: `${name}.js` };
}

/** The packages that emitted files import. */
function importedBy(folder: string): ReadonlySet<string> {
  const files = globSync('**/*.{js,d.ts}', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  const specifiers = files.flatMap((text) =>
    Array.from(text.matchAll(/(?:from|import\(?) ?'([^.'\s,][^'\s]*)'/g), ([, specifier = '']) => specifier),
  );
  const names = specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  return new Set(names.filter((name) => !name.startsWith('node:')));
}
