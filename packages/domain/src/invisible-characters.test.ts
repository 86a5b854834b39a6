import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeInvisible, replaceInvisible } from './invisible-characters.ts';

const UNSEEN = {
  'an escape': '\u001b',
  'a line feed': '\n',
  'a delete': '\u007f',
  'a control sequence in one character': '\u009b',
  'a right-to-left override': '\u202e',
  'an isolate': '\u2066',
  'a right-to-left mark': '\u200f',
  'an Arabic letter mark': '\u061c',
  'a line separator': '\u2028',
  'a paragraph separator': '\u2029',
  'a zero-width space': '\u200b',
  'a zero-width non-joiner': '\u200c',
  'a zero-width joiner': '\u200d',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a Hangul filler': '\u3164',
  'a variation selector': '\ufe0f',
  'a supplementary variation selector': '\u{e0100}',
  'a tag': '\u{e0041}',
} as const;

describe.each(Object.entries(UNSEEN))('%s', (_, character) => {
  test('is shown as a replacement character', () => {
    expect(replaceInvisible(`a${character}b`)).toBe('a\ufffdb');
  });

  test('is escaped in JSON, which parses to the same value', () => {
    const value = { [`name${character}`]: [`a${character}b`] };
    for (const indent of [0, 2]) {
      const json = escapeInvisible(JSON.stringify(value, null, indent));
      expect(json.replaceAll('\n', '')).toMatch(/^[ -~]*$/);
      expect(JSON.parse(json)).toEqual(value);
    }
  });
});

test.each(['Ada', 'Zoë', 'プレス工場', 'Ёлка', 'עברית', '👍🏽', 'नमस्ते', 'a  b'])(
  '%j is shown as it is',
  (text) => {
    expect(replaceInvisible(text)).toBe(text);
    expect(escapeInvisible(JSON.stringify(text))).toBe(JSON.stringify(text));
  },
);

test('joined emoji, and words with joiners, are shown in their parts', () => {
  expect(replaceInvisible('👩‍🔧')).toBe('👩\ufffd🔧');
  expect(replaceInvisible('می‌خواهم')).toBe('می\ufffdخواهم');
});

test('any text parses to itself', () => {
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0x10ffff }))
    .map((points) => String.fromCodePoint(...points));
  fc.assert(
    fc.property(anyText, anyText, (name, text) => {
      const json = JSON.stringify({ [name]: [text] }, null, 2);
      expect(JSON.parse(escapeInvisible(json))).toEqual(JSON.parse(json));
    }),
  );
});
