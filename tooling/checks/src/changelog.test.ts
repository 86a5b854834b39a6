import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { disorderIn, releaseNotesIn } from './changelog.ts';
import { locationOf } from './documents.ts';
import { EDITIONS, editionBefore, hasCommit, VERSION } from './editions.ts';

const CHANGELOG = readFileSync(locationOf('CHANGELOG.md'), 'utf8');
const notes = releaseNotesIn(CHANGELOG);
const before = editionBefore();
const isHere = hasCommit(before.commit);
if (!isHere) console.warn(`SKIPPED: breaking changes are not compared: this clone lacks ${before.commit}`);

test('the version of this checkout and each released version have a section', () => {
  expect(notes.map(({ version }) => version)).toContain(VERSION);
  expect(notes).toEqual(
    expect.arrayContaining(EDITIONS.map((each) => expect.objectContaining(datesOf(each)))),
  );
});

test('the newest section stands first, and its parts are in the order of the format', () => {
  expect(disorderIn(notes)).toEqual([]);
});

test.each([
  ['a part that the format does not have', '## [1.0.0] - 2026-01-01\n### News\n'],
  ['parts in another order', '## [1.0.0] - 2026-01-01\n### Fixed\n### Added\n'],
  ['an older version first', '## [1.0.0] - 2026-01-01\n## [1.1.0] - 2026-01-01\n'],
  ['a version that is dated before an older one', '## [1.1.0] - 2026-01-01\n## [1.0.0] - 2026-01-02\n'],
])('%s is found', (_, changelog) => {
  expect(disorderIn(releaseNotesIn(changelog))).toHaveLength(1);
});

test.skipIf(!isHere)('each commit that breaks something since the last release is named', () => {
  const log = execFileSync('git', ['log', '--abbrev=8', '--format=%h %s', `${before.commit}..HEAD`], {
    cwd: fileURLToPath(locationOf('.')),
    encoding: 'utf8',
  });
  const breaking = log.split('\n').filter((line) => /^\w+ \w+(?:\([^)]*\))?!:/.test(line));
  const unnamed = breaking.filter((line) => !CHANGELOG.includes(`(${line.slice(0, 8)})`));
  expect(unnamed, 'describe each in CHANGELOG.md, with what to do, and its commit in parentheses').toEqual(
    [],
  );
});

const datesOf = ({ version, date }: { readonly version: string; readonly date: string }) => ({
  version,
  date,
});
