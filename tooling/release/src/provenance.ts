import { basename, join, relative } from 'node:path';
import { LOCKFILE, ROOT } from '@gatehouse/build-kit';
import { TOOLCHAIN_MANIFEST } from '@gatehouse/setup/toolchain-lock';
import { digestOf } from './digests.ts';
import type { Source } from './source.ts';

/** The command that makes a release. */
export const COMMAND = 'npm run release -- --dry-run';

/** The name of the file in a release. */
export const PROVENANCE = 'provenance.json';

/** The parts of a provenance that are read again. */
export interface Provenance {
  readonly subject: readonly {
    readonly name: string;
    readonly digest: { readonly sha256: string; readonly sha512: string };
  }[];
}

/**
 * Names the commit, the lockfiles and the command that these tarballs were made with: an in-toto
 * statement with a predicate of SLSA. It is not signed, so it proves nothing about who made it. It has no times, so the
 * same commit makes the same statement.
 *
 * Sources: https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md, https://slsa.dev/spec/v1.0/provenance
 */
export function provenanceOf(tarballs: readonly string[], { commit, changes }: Source) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: tarballs.map((file) => ({
      name: basename(file),
      digest: { sha256: digestOf(file, 'sha256'), sha512: digestOf(file, 'sha512') },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:gatehouse:release:1',
        externalParameters: { command: COMMAND, uncommittedChanges: changes.length > 0 },
        internalParameters: { platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          ...[LOCKFILE, join(TOOLCHAIN_MANIFEST, 'package-lock.json')].map((file) => ({
            name: relative(ROOT, file),
            digest: { sha256: digestOf(file, 'sha256') },
          })),
        ],
      },
      runDetails: {
        builder: { id: 'urn:gatehouse:builder:local', version: { node: process.versions.node } },
      },
    },
  };
}
