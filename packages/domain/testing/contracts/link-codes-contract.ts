import { describe, expect, it } from 'vitest';
import { LINK_PREFIXES, type LinkCodes, type LinkKind, parseLinkCode } from '../../src/links/index.ts';

/** The contract of every LinkCodes. */
export function linkCodesContract(name: string, createCodes: () => LinkCodes): void {
  describe.each(Object.keys(LINK_PREFIXES) as LinkKind[])(`${name} as LinkCodes, %s`, (kind) => {
    const codes = createCodes();
    const made = Array.from({ length: 10_000 }, () => codes.create(kind));
    const prefix = LINK_PREFIXES[kind];

    it('makes ids that are UUIDs in lower case, each once, sorted by age', () => {
      const ids = made.map(({ id }) => id);
      for (const id of ids)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('makes codes of a prefix and 32 bytes as base64url, each once, whose bytes all vary', () => {
      expect(new Set(made.map(({ code }) => code)).size).toBe(made.length);
      const bytes = made.map(({ code }) => Buffer.from(code.slice(prefix.length), 'base64url'));
      for (const [index, { code }] of made.entries()) {
        expect(parseLinkCode(kind, ` ${code}\n`)).toBe(code);
        expect(bytes[index]).toHaveLength(32);
        expect(`${prefix}${bytes[index]?.toString('base64url')}`).toBe(code);
      }
      for (let place = 0; place < 32; place += 1)
        expect(new Set(bytes.map((one) => one[place])).size).toBe(256);
    });

    it('hashes a code to 32 bytes that do not contain it, always the same and each code differently', () => {
      const hashes = made.map(({ code }) => codes.hashOf(code));
      expect(new Set(hashes).size).toBe(hashes.length);
      for (const [index, { code }] of made.entries()) {
        expect(hashes[index]).toMatch(/^[0-9a-f]{64}$/);
        expect(createCodes().hashOf(code)).toBe(hashes[index]);
      }
    });
  });
}
