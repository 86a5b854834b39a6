import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createOpenApiDocument } from '@gatehouse/api-contract';
import { buildClient } from '@gatehouse/build-client';
import { buildKit } from '@gatehouse/build-kit';
import { buildVerifier } from '@gatehouse/build-verifier';
import { CHECKSUMS, checksumsOf } from './checksums.ts';
import { packProgram } from './package-program.ts';
import { PROVENANCE, provenanceOf } from './provenance.ts';
import type { Source } from './source.ts';

/**
 * Makes all files of a release: the tarballs, their provenance and their checksums. The folder is replaced only when
 * all of them are made.
 *
 * @returns the paths of the tarballs in `folder`, sorted
 */
export async function buildRelease(folder: string, source: Source): Promise<readonly string[]> {
  const draft = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  try {
    const document = JSON.parse(JSON.stringify(createOpenApiDocument('paseto')));
    const kit = join(draft, 'kit');
    const release = join(draft, 'release');
    mkdirSync(release);
    for (const tarball of buildKit(kit)) cpSync(tarball, join(release, basename(tarball)));
    buildClient(release, document);
    buildVerifier(release);
    await packProgram(release);
    const tarballs = tarballsIn(release);
    writeFileSync(
      join(release, PROVENANCE),
      `${JSON.stringify(provenanceOf(tarballs, source), undefined, 2)}\n`,
    );
    writeFileSync(join(release, CHECKSUMS), checksumsOf([...tarballs, join(release, PROVENANCE)]));
    rmSync(folder, { recursive: true, force: true });
    cpSync(release, folder, { recursive: true });
    return tarballsIn(folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function tarballsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .toSorted()
    .map((name) => join(folder, name));
}
