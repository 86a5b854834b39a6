import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockedLibraries, packFolder, ROOT } from '@gatehouse/build-kit';
import { bundleProduction } from '@gatehouse/bundle';
import { copyFiles, licencesOf } from '@gatehouse/setup/production-files';
import { writeLauncher } from './launcher.ts';
import { versionOfRelease } from './version.ts';

/**
 * Packs both programs as `gatehouse`. Its code is bundled, except for libraries with machine code, which npm installs.
 *
 * @returns the path of the tarball in `target`
 * @throws Error if extensions are installed, because a release has none
 */
export async function packProgram(target: string): Promise<string> {
  const draft = mkdtempSync(join(tmpdir(), 'gatehouse-program-'));
  try {
    const { bundled, required } = await bundleProduction(join(draft, 'programs'), {
      withCompiledCode: false,
    });
    const native = required.map(idOf);
    const known = ['@node-rs/argon2', 'sodium-native'];
    const unknown = native.filter((id) => !known.some((name) => id.startsWith(`${name}@`)));
    if (unknown.length > 0)
      throw new Error(
        `remove the extensions from packages/extensions, because a release has none: ${unknown}`,
      );
    copyFiles(ROOT, draft, []);
    writeFileSync(join(draft, 'THIRD-PARTY-LICENSES.txt'), licencesOf(bundled));
    writeLauncher(draft);
    const optional = embeddedPostgres();
    return packFolder(
      draft,
      programManifest(native, optional),
      { bundled, installed: native, optional },
      target,
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function programManifest(native: readonly string[], embedded: readonly string[]) {
  // Every library that npm installs is named with its exact version, also those that only other libraries need.
  const installed = lockedLibraries(native).filter(({ isOptional }) => !isOptional);
  return {
    name: 'gatehouse',
    version: versionOfRelease(),
    description: 'A self-hosted organization directory and API-token authority',
    license: 'Apache-2.0',
    bin: { gatehouse: 'bin/gatehouse.cjs', 'gatehouse-server': 'bin/gatehouse-server.cjs' },
    files: ['bin', 'launch', 'packages', 'programs', 'THIRD-PARTY-LICENSES.txt'],
    dependencies: Object.fromEntries(installed.map(({ name, version }) => [name, version])),
    // npm installs none of them by itself, and refuses other versions.
    peerDependencies: Object.fromEntries(embedded.map(splitId)),
    peerDependenciesMeta: Object.fromEntries(embedded.map((id) => [splitId(id)[0], { optional: true }])),
  };
}

/** Returns the packages of the embedded PostgreSQL, one for each platform, as `name@version`. */
function embeddedPostgres(): readonly string[] {
  const manifest = readFileSync(join(ROOT, 'packages/embedded-postgres/package.json'), 'utf8');
  const { optionalDependencies } = JSON.parse(manifest);
  return Object.entries(optionalDependencies).map(([name, version]) => `${name}@${version}`);
}

function idOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}

function splitId(id: string): [name: string, version: string] {
  const at = id.lastIndexOf('@');
  return [id.slice(0, at), id.slice(at + 1)];
}
