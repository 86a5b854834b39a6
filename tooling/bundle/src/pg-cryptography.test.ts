import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './current.cjs';

// The library is a dependency of packages that connect to a database, not of this one.
const original = createRequire(join(ROOT, 'packages/postgres/package.json'))('pg/lib/crypto/utils');
const replaced = createRequire(import.meta.url)('./pg-cryptography.cjs');

test('all that pg exports is replaced', () => {
  expect(Object.keys(replaced).toSorted()).toEqual(Object.keys(original).toSorted());
});

test.each([
  ['postgresMd5PasswordHash', 'ada', 'pässword', Buffer.from([1, 2, 3, 4])],
  ['deriveKey', 'pässword', Buffer.from('salt'), 4096],
  ['sha256', Buffer.from('text')],
  ['hashByName', 'SHA-256', Buffer.from('text')],
  ['hashByName', 'SHA-384', Buffer.from('text')],
  ['hashByName', 'SHA-512', Buffer.from('text')],
  ['hmacSha256', Buffer.from('key'), 'n=*,r=näme'],
  ['md5', 'pässword'],
])('%s returns the same as that of pg', async (name, ...given) => {
  const bytesOf = (value: string | ArrayBuffer) => (typeof value === 'string' ? value : Buffer.from(value));
  expect(bytesOf(await replaced[name](...given))).toEqual(bytesOf(await original[name](...given)));
});

test('random bytes are a buffer of the given length', () => {
  expect(replaced.randomBytes(18)).toHaveLength(18);
  expect(original.randomBytes(18)).toHaveLength(18);
});
