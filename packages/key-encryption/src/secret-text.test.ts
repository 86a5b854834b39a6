import { expect, test } from 'vitest';
import { secretText, withoutLineEnd } from './secret-text.ts';

const TEXT = 'Möwen über Kiel';
const utf16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16, little-endian', utf16],
  ['UTF-16, big-endian', Buffer.from(utf16).swap16()],
])('a secret is read in %s', (_, bytes) => {
  expect(secretText(bytes)).toBe(TEXT);
});

test.each([
  Buffer.from([0x61, 0xff]),
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
])('anything else throws: %j', (bytes) => {
  expect(() => secretText(bytes)).toThrow(TypeError);
});

test('one end of a line is cut, and no more', () => {
  for (const end of ['', '\n', '\r\n', '\r']) expect(withoutLineEnd(`a ${end}`)).toBe('a ');
  expect(withoutLineEnd('a\n\n')).toBe('a\n');
  expect(withoutLineEnd('a\r\n\r\n')).toBe('a\r\n');
  expect(withoutLineEnd('a\nb')).toBe('a\nb');
});
