import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { locationOf } from './documents.ts';

const DOCUMENT = 'docs/security.md';

interface Row {
  readonly requirement: number;
  readonly tests: readonly { readonly title: string; readonly path: string }[];
  readonly items: readonly string[];
}

/** The rows of its table: a number, the requirement, links to tests by their titles, and items of the ASVS. */
function readRows(): readonly Row[] {
  const lines = readFileSync(locationOf(DOCUMENT), 'utf8').split('\n');
  return lines
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => {
      const [, number = '', , tests = '', items = ''] = line.split('|').map((cell) => cell.trim());
      const links = [...tests.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)];
      return {
        requirement: Number(number),
        tests: links.map(([, title = '', path = '']) => ({ title, path })),
        items: items === '' ? [] : items.split(', '),
      };
    });
}

const rows = readRows();

describe('docs/security.md', () => {
  test('has every requirement once, in their order, with a test', () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(rows.map(({ requirement }) => requirement)).toEqual(rows.map((_, index) => index + 1));
    for (const { requirement, tests } of rows) expect(tests, `${requirement}`).not.toEqual([]);
  });

  test.each(rows)('names tests that there are, for requirement $requirement', ({ tests }) => {
    for (const { title, path } of tests) {
      expect(existsSync(locationOf(path)), path).toBe(true);
      const source = readFileSync(locationOf(path), 'utf8');
      expect(isTitleIn(source, title), `${path} has no test "${title}"`).toBe(true);
    }
  });

  test('names items of the ASVS by chapter, section and item', () => {
    for (const { items } of rows)
      for (const item of items) expect(item).toMatch(/^\d{1,2}\.\d{1,2}\.\d{1,2}$/);
  });
});

/** As it is written: with what `each` fills in still open, and without what is put into it. */
function isTitleIn(source: string, title: string): boolean {
  return source.includes(`'${title}'`) || source.includes(`"${title}"`) || source.includes(`\`${title}`);
}
