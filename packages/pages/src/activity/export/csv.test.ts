import { describe, expect, test } from 'vitest';
import { csvLine } from './csv.ts';

describe('a cell of a CSV file', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1+1', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201'])(
    'that begins like a formula is text: %s',
    (text) => {
      expect(csvLine([text])).toBe(`"'${text}"\r\n`);
    },
  );

  test.each(['\t', '\r', '\n', ';', '\u202e', '\u200b', '\u{e0041}'])('has no %j, but its escape', (text) => {
    for (const cell of [text, `a${text}=1+1`]) {
      const line = csvLine([cell]);
      expect(line.slice(0, -2)).not.toContain(text);
      expect(JSON.parse(line.slice(0, -2))).toBe(cell);
    }
  });

  test('is quoted, and its quotes are doubled', () => {
    expect(csvLine([7, 'a "b", c', ''])).toBe('"7","a ""b"", c",""\r\n');
  });
});
