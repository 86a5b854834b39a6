import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finishBillOfMaterials, licencesOf, npmComponent, purlOf } from '@gatehouse/setup/cyclonedx';
import { type LockedLibrary, lockedLibraries } from './locked-libraries.ts';
import { ROOT } from './run.ts';

/** The libraries of a package that is packed. */
export interface Materials {
  /** The folders of the libraries whose code is in the package. */
  readonly bundled?: readonly string[];
  /** The libraries that an installation of the package brings, as `name@version`. */
  readonly installed?: readonly string[];
  /** The libraries that a user may install beside the package, as `name@version`. */
  readonly optional?: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * Describes the contents and the dependencies of a package as a CycloneDX 1.6 document. The hashes are those of the
 * libraries in pnpm-lock.yaml, from which the package was made.
 */
export function billOfMaterials(
  manifest: Manifest,
  { bundled = [], installed = [], optional = [] }: Materials,
) {
  const contained = bundled.map(manifestIn);
  const locked = new Map(
    lockedLibraries(contained.map(({ name, version }) => `${name}@${version}`)).map((each) => [
      `${each.name}@${each.version}`,
      each,
    ]),
  );
  const brought = lockedLibraries(installed);
  const offered = lockedLibraries(optional);
  const listed = [
    ...contained.flatMap((each) => locked.get(`${each.name}@${each.version}`) ?? []),
    ...brought,
    ...offered,
  ];
  const ids = new Set(listed.map(({ name, version }) => `${name}@${version}`));
  const root = purlOf(manifest.name, manifest.version);
  const direct = [
    ...contained.map(({ name, version }) => purlOf(name, version)),
    ...[...installed, ...optional].map(purlOfId),
  ];
  return finishBillOfMaterials({
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': root,
        ...npmComponent(manifest),
        type: manifest.name === 'gatehouse' ? 'application' : 'library',
      },
    },
    components: [
      ...contained.map((each) => ({
        'bom-ref': purlOf(each.name, each.version),
        ...npmComponent(each),
        scope: 'required',
        hashes: hashesOf(locked.get(`${each.name}@${each.version}`)),
        properties: [{ name: 'gatehouse:delivery', value: 'in this package' }],
      })),
      ...brought.map((each) => libraryComponent(each, each.isOptional)),
      ...offered.map((each) => libraryComponent(each, true)),
    ],
    dependencies: [
      { ref: root, dependsOn: direct },
      ...listed.map((each) => ({
        ref: purlOf(each.name, each.version),
        // The bundle leaves out a dependency of a bundled library if its code is never run.
        dependsOn: each.dependencies.filter((id) => ids.has(id)).map(purlOfId),
      })),
    ],
  });
}

function libraryComponent(library: LockedLibrary, isOptional: boolean) {
  const { name, version } = library;
  return {
    'bom-ref': purlOf(name, version),
    type: 'library',
    name,
    version,
    purl: purlOf(name, version),
    ...licencesOf(installedLicence(name, version)),
    scope: isOptional ? 'optional' : 'required',
    hashes: hashesOf(library),
    properties: [{ name: 'gatehouse:delivery', value: 'installed beside it' }],
  };
}

/** Returns the licence of a library; undefined if it is not installed here, because it is for another system. */
function installedLicence(name: string, version: string): unknown {
  const store = join(ROOT, 'node_modules/.pnpm');
  const [path] = globSync(`${name.replace('/', '+')}@${version}*/node_modules/${name}/package.json`, {
    cwd: store,
  });
  return path === undefined ? undefined : JSON.parse(readFileSync(join(store, path), 'utf8')).license;
}

function hashesOf(library: LockedLibrary | undefined) {
  const [algorithm = '', digest = ''] = library?.integrity.split('-', 2) ?? [];
  if (digest === '') return [];
  const content = Buffer.from(digest, 'base64').toString('hex');
  return [{ alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content }];
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function purlOfId(id: string): string {
  const at = id.lastIndexOf('@');
  return purlOf(id.slice(0, at), id.slice(at + 1));
}
