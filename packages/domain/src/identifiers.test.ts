import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseOrganizationId } from './organizations/organization.ts';
import { parseTokenId } from './tokens/token.ts';

describe('ids in text', () => {
  test.each(['1', '42', '9007199254740991'])('%s is an id', (text) => {
    expect(parseOrganizationId(text)).toBe(Number(text));
  });

  test.each([
    '',
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '٣',
    '１',
    '1_000',
    '1.json',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775808',
    'NaN',
    'Infinity',
    '1%00',
    '1%2F2',
    '7'.repeat(400),
  ])('%j is not an id', (text) => {
    expect(parseOrganizationId(text)).toBeUndefined();
  });

  test('exactly the canonical positive integers up to 2^53-1 are ids', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.maxSafeInteger().map(String), fc.bigInt().map(String)), (text) => {
        const canonical =
          /^\d+$/.test(text) &&
          BigInt(text) >= 1n &&
          BigInt(text) <= 2n ** 53n - 1n &&
          String(BigInt(text)) === text;
        expect(parseOrganizationId(text)).toBe(canonical ? Number(text) : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test('a token id is a lower-case UUID and nothing else', () => {
    const id = '01890000-0000-7000-8000-00000000abcd';
    expect(parseTokenId(id)).toBe(id);
    for (const text of ['', id.toUpperCase(), `{${id}}`, id.slice(1), `${id}\n`, id.replaceAll('-', '')]) {
      expect(parseTokenId(text)).toBeUndefined();
    }
  });
});
