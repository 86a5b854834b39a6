import type { View } from '@gatehouse/extension-kit/cli';
import { expect, test } from 'vitest';
import { listFormat } from './list-format.ts';
import type { OutputOptions } from './view.ts';

const VIEW: View<string> = {
  document: (name) => ({ name, deep: { list: [1, 'two\nlines'], none: [] } }),
  columns: [
    { title: 'NAME', value: (name) => name },
    { title: 'END', value: () => 'end' },
  ],
};

/** Formats a list of these pages. */
function written(options: OutputOptions, pages: readonly (readonly string[])[]): string {
  const { page, end } = listFormat(options, VIEW, {});
  return pages.map((items) => page(items)).join('') + (end?.() ?? '');
}

test.each([[[]], [[[]]], [[['a']]], [[['a', 'b'], ['c'], [], ['d']]]])(
  'the pages %j are formatted as the array of the whole list',
  (pages) => {
    const whole = pages.flat().map((name) => VIEW.document(name));
    expect(written({ json: true }, pages)).toBe(`${JSON.stringify(whole, null, 2)}\n`);
    const lines = whole.map((document) => `${JSON.stringify(document)}\n`).join('');
    expect(written({ jsonl: true }, pages)).toBe(lines);
  },
);

test('a table has its titles once, even without rows', () => {
  expect(written({}, [])).toBe('NAME  END\n');
  expect(written({}, [['a'], ['b']])).toBe('NAME  END\na     end\nb     end\n');
});

test('a wide row of a later page does not change the columns', () => {
  expect(written({}, [['one'], ['a longer name', 'b']])).toBe(
    'NAME  END\none   end\na longer name  end\nb     end\n',
  );
});

const UNSEEN = ['\u202eevil', 'a\u200db', '\u009b31m', 'x\u{e0041}\u2028'];

test.each([{ json: true }, { jsonl: true }] as const)(
  'control and invisible characters are escaped in %j, which parses to the same value',
  (options) => {
    const text = written(options, [UNSEEN.slice(0, 2), UNSEEN.slice(2)]);
    expect(text.replaceAll('\n', '')).toMatch(/^[ -~]*$/);
    const documents = options.jsonl
      ? text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : JSON.parse(text);
    expect(documents).toEqual(UNSEEN.map(VIEW.document));
  },
);
