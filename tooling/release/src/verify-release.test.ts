import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHECKSUMS, checksumsOf } from './checksums.ts';
import { PROVENANCE, provenanceOf } from './provenance.ts';
import { verifyRelease } from './verify-release.ts';

let folder: string;
const TARBALLS = ['gatehouse-1.2.0.tgz', 'gatehouse-client-1.2.0.tgz'];
const path = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-test-'));
  for (const name of TARBALLS) writeFileSync(path(name), `bytes of ${name}`);
  const statement = provenanceOf(TARBALLS.map(path), { commit: 'c0ffee', changes: [] });
  writeFileSync(path(PROVENANCE), JSON.stringify(statement));
  sum();
});
afterEach(() => rmSync(folder, { recursive: true }));

const sum = () => writeFileSync(path(CHECKSUMS), checksumsOf([...TARBALLS, PROVENANCE].map(path)));

function change(name: string): void {
  const bytes = readFileSync(path(name));
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  writeFileSync(path(name), bytes);
}

test('an untouched release has no difference', () => {
  expect(verifyRelease(folder)).toEqual([]);
});

test('a changed byte of a tarball is found by its checksum and by the provenance', () => {
  change('gatehouse-1.2.0.tgz');
  expect(verifyRelease(folder)).toEqual([
    expect.stringMatching(/^gatehouse-1\.2\.0\.tgz differs from SHA256SUMS: its sha256 is [0-9a-f]{64}, /),
    expect.stringMatching(
      /^gatehouse-1\.2\.0\.tgz differs from provenance\.json: its sha512 is [0-9a-f]{128}, /,
    ),
  ]);
  sum();
  expect(verifyRelease(folder)).toEqual([expect.stringContaining('differs from provenance.json')]);
});

test('a changed provenance is found by its checksum', () => {
  const changed = readFileSync(path(PROVENANCE), 'utf8').replace('c0ffee', 'c0ffef');
  writeFileSync(path(PROVENANCE), changed);
  expect(verifyRelease(folder)).toEqual([expect.stringContaining('provenance.json differs from SHA256SUMS')]);
});

test('a missing file and a foreign one are found', () => {
  rmSync(path('gatehouse-client-1.2.0.tgz'));
  writeFileSync(path('evil-1.0.0.tgz'), '');
  expect(verifyRelease(folder)).toEqual([
    'evil-1.0.0.tgz is not listed in SHA256SUMS',
    'gatehouse-client-1.2.0.tgz is missing, and SHA256SUMS lists it',
    'evil-1.0.0.tgz has no digest in provenance.json',
    'gatehouse-client-1.2.0.tgz is missing, and provenance.json lists it',
  ]);
});

test('a folder without checksums is no release', () => {
  rmSync(path(CHECKSUMS));
  expect(verifyRelease(folder)).toEqual([`SHA256SUMS is missing: ${folder} is not a whole release`]);
});

test('a line of the checksums that names no file of the folder is refused', () => {
  writeFileSync(path(CHECKSUMS), `${'0'.repeat(64)}  ../../etc/passwd\n`);
  expect(() => verifyRelease(folder)).toThrow('expected a hash, two spaces and a file name');
});

test('the provenance has no time, and names the commit, the lockfiles and whether there were changes', () => {
  const of = (changes: readonly string[]) => provenanceOf(TARBALLS.map(path), { commit: 'c0ffee', changes });
  expect(of([])).toEqual(of([]));
  const { predicate } = of([' M package.json']);
  expect(predicate.buildDefinition.externalParameters.uncommittedChanges).toBe(true);
  expect(predicate.buildDefinition.resolvedDependencies.map(({ name }) => name)).toEqual([
    'source',
    'pnpm-lock.yaml',
    'tooling/setup/toolchain/package-lock.json',
  ]);
});
