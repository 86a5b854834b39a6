import { existsSync, readFileSync } from 'node:fs';
import { readRequirements } from '@gatehouse/mutations';
import { describe, expect, test } from 'vitest';
import { locationOf } from './documents.ts';

const requirements = readRequirements();

describe('docs/develop/security', () => {
  test('has every requirement once, in order, with a test', () => {
    const numbers = requirements.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect(requirements.length).toBeGreaterThanOrEqual(40);
    for (const { number, tests } of requirements) expect(tests, `${number}`).not.toEqual([]);
  });

  test.each(requirements)('names existing tests for requirement $number', ({ tests }) => {
    for (const { title, path } of tests) {
      expect(existsSync(locationOf(path)), path).toBe(true);
      const source = readFileSync(locationOf(path), 'utf8');
      expect(isTitleIn(source, title), `${path} has no test "${title}"`).toBe(true);
    }
  });

  test('names items of the ASVS by chapter, section and item', () => {
    for (const { items } of requirements)
      for (const item of items) expect(item).toMatch(/^\d{1,2}\.\d{1,2}\.\d{1,2}$/);
  });
});

/** Returns whether the source has the title: with the placeholders of `each`, and up to the first interpolation. */
function isTitleIn(source: string, title: string): boolean {
  return source.includes(`'${title}'`) || source.includes(`"${title}"`) || source.includes(`\`${title}`);
}
