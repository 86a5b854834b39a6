import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const NUMBER = NUMBERS.slice(2).join('|');

const textOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const files = (...patterns: readonly string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trimEnd()
    .split('\n');

/** A sentence such as "Three rules keep them exact:", the number in it, and how many points the list after it has. */
function countedLists(markdown: string) {
  const text = markdown.replaceAll(/^```.*?^```/gms, '');
  const lists = /([^\n]+(?:\n[^\n]+)*?):\n\n((?:(?:[-*]|\d+\.) [^\n]*\n(?:[ \n][^\n]*\n)*)+)/g;
  return [...text.matchAll(lists)].flatMap(([, paragraph = '', list = '']) => {
    const sentence =
      paragraph
        .replaceAll(/\s+/g, ' ')
        .split(/(?<=[.!?](?:\*\*)?) /)
        .at(-1) ?? '';
    const [, number] =
      new RegExp(`^(?:There are |It has |It needs )?(${NUMBER})\\b`, 'i').exec(sentence) ?? [];
    const points = list.match(/^(?:[-*]|\d+\.) /gm)?.length ?? 0;
    return number === undefined ? [] : [{ sentence, said: NUMBERS.indexOf(number.toLowerCase()), points }];
  });
}

describe('a list in a document has as many points as the sentence before it says', () => {
  const found = files('*.md').flatMap((path) =>
    countedLists(textOf(path)).map((list) => ({ path, ...list })),
  );

  test('in every document', () => {
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ said, points }) => said !== points)).toEqual([]);
  });

  test('and a list that has another number is found', () => {
    const [list] = countedLists('Why. Three rules\nhold:\n\n- one\n  more\n- two\n');
    expect(list).toEqual({ sentence: 'Three rules hold', said: 3, points: 2 });
  });
});

describe('the exceptions of how fast a revocation takes effect', () => {
  const decision = textOf('docs/adr/0009-coherent-caches.md');
  const section = decision.slice(decision.indexOf('## Exceptions'));
  const count = section.match(/^\*\*\d+\. /gm)?.length ?? 0;

  test('are as many as ADR 9 says, in its sentence and in its explanations', () => {
    const [, number = '', named = ''] =
      /(\w+) failures are not detected: ([^.]*)/.exec(section.replaceAll(/\s+/g, ' ')) ?? [];
    expect(NUMBERS[count]).toBe(number.toLowerCase());
    expect(named.split(';')).toHaveLength(count);
  });

  test('are counted nowhere as another number', () => {
    const counts = new RegExp(`\\b(${NUMBER}|\\d+) (?:exceptions|failures are not detected)\\b`, 'gi');
    const others = files('*.ts', '*.md', '*.mjs').flatMap((path) =>
      [...textOf(path).matchAll(counts)]
        .filter(([, number = '']) => ![NUMBERS[count], String(count)].includes(number.toLowerCase()))
        .map(([words]) => `${path}: ${words}`),
    );
    expect(others).toEqual([]);
  });
});
