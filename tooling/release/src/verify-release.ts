import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKSUMS, readChecksums } from './checksums.ts';
import { digestOf } from './digests.ts';
import { PROVENANCE, type Provenance } from './provenance.ts';

/**
 * Compares the files of a release with its checksums and its provenance. Neither is signed, so this finds files that
 * were damaged or replaced one by one, but not a release that someone replaced as a whole.
 *
 * @returns a line for each difference; none if the release is intact
 */
export function verifyRelease(folder: string): readonly string[] {
  const missing = [CHECKSUMS, PROVENANCE].filter((name) => !existsSync(join(folder, name)));
  if (missing.length > 0)
    return missing.map((name) => `${name} is missing: ${folder} is not a whole release`);
  return [...byChecksums(folder), ...byProvenance(folder)];
}

function byChecksums(folder: string): readonly string[] {
  const listed = readChecksums(join(folder, CHECKSUMS));
  const found = readdirSync(folder).filter((name) => name !== CHECKSUMS);
  return [
    ...found.filter((name) => !listed.has(name)).map((name) => `${name} is not listed in ${CHECKSUMS}`),
    ...[...listed].flatMap(([name, expected]) =>
      difference(join(folder, name), name, 'sha256', expected, CHECKSUMS),
    ),
  ];
}

function byProvenance(folder: string): readonly string[] {
  const { subject }: Provenance = JSON.parse(readFileSync(join(folder, PROVENANCE), 'utf8'));
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const unknown = tarballs.filter((name) => !subject.some((each) => each.name === name));
  return [
    ...unknown.map((name) => `${name} has no digest in ${PROVENANCE}`),
    ...subject.flatMap(({ name, digest }) =>
      difference(join(folder, name), name, 'sha512', digest.sha512, PROVENANCE),
    ),
  ];
}

function difference(
  file: string,
  name: string,
  algorithm: 'sha256' | 'sha512',
  expected: string,
  source: string,
): readonly string[] {
  if (!existsSync(file)) return [`${name} is missing, and ${source} lists it`];
  const found = digestOf(file, algorithm);
  return found === expected
    ? []
    : [`${name} differs from ${source}: its ${algorithm} is ${found}, and should be ${expected}`];
}
