import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyEdit } from './mutation.ts';
import { MUTATIONS } from './mutations/index.ts';
import { readRequirements } from './requirements.ts';
import { readMutationResults } from './results.ts';
import { pathOf } from './root.ts';
import { patternOf } from './run-tests.ts';
import { unseen } from './table.ts';

const requirements = readRequirements();

describe('a mutation', () => {
  test.each(MUTATIONS)('can be applied to the sources: $change', ({ edits }) => {
    expect(edits).not.toEqual([]);
    for (const edit of edits) {
      const text = readFileSync(pathOf(edit.file), 'utf8');
      expect(applyEdit(text, edit)).not.toBe(text);
    }
  });

  test('needs its text once: neither none nor two', () => {
    const edit = { file: 'a.ts', find: 'x', replace: 'y' };
    expect(applyEdit('axb', edit)).toBe('ayb');
    expect(() => applyEdit('ab', edit)).toThrow('a.ts holds "x" 0 times');
    expect(() => applyEdit('xx', edit)).toThrow('a.ts holds "x" 2 times');
  });
});

describe('the last results', () => {
  const results = readMutationResults();
  const run = requirements.filter(({ number }) => number in results);
  const waiting = requirements.filter(({ number }) => !(number in results));

  test.each(run)('show each test of requirement $number fail', (requirement) => {
    expect(unseen(requirement, results)).toEqual([]);
  });

  test('are of the present mutations', () => {
    if (waiting.length > 0) {
      const numbers = waiting.map(({ number }) => number).join(' ');
      console.warn(`NOT SHOWN BY MUTATIONS YET: requirements ${numbers} (npm run mutations -- ${numbers})`);
    }
    for (const { number } of run) {
      const present = MUTATIONS.filter((mutation) => mutation.requirements.includes(number));
      expect(results[number]?.mutations.map(({ change }) => change)).toEqual(
        present.map(({ change }) => change),
      );
    }
  });
});

test('the title of a test is matched with what `each` puts into it', () => {
  const pattern = new RegExp(`^${patternOf('is %s (a) for $name')}`);
  expect(pattern.test('is not read (a) for ada')).toBe(true);
  expect(pattern.test('is not read a for ada')).toBe(false);
});
