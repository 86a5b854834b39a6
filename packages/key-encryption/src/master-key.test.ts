import { describe, expect, it } from 'vitest';
import { createMasterKey, parseMasterKey } from './master-key.ts';

const WRONG: readonly [string, string][] = [
  ['nothing', ''],
  ['a word', 'secret-word'],
  ['31 bytes', Buffer.alloc(31, 7).toString('base64url')],
  ['33 bytes', Buffer.alloc(33, 7).toString('base64url')],
  ['hexadecimal', Buffer.alloc(32, 7).toString('hex')],
  ['padding', Buffer.alloc(32, 0xff).toString('base64')],
  ['the standard alphabet', Buffer.alloc(32, 0xff).toString('base64').replace('=', '')],
  ['trailing bits', `${'A'.repeat(42)}B`],
  ['white space', ` ${Buffer.alloc(32, 7).toString('base64url')}`],
];

describe('A master key', () => {
  it('is new each time, 32 bytes long, and survives a round trip as text', () => {
    const texts = [createMasterKey(), createMasterKey(), createMasterKey()];
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) {
      const parsed = parseMasterKey(text);
      expect(parsed.ok && Buffer.from(parsed.value).toString('base64url')).toBe(text);
      expect(parsed.ok && parsed.value.length).toBe(32);
    }
  });

  it.each(WRONG)('cannot be parsed from %s, and the message says what is valid', (_, text) => {
    expect(parseMasterKey(text)).toEqual({
      ok: false,
      error: {
        code: 'master_key_unusable',
        message: 'must be 32 bytes in base64url (43 characters), as `gatehouse key new-master` prints them',
      },
    });
  });
});
