import { describe, expect, it } from 'vitest';
import { parseTokenId, type TokenIdGenerator } from '../../src/tokens/index.ts';

/** The contract of every TokenIdGenerator. */
export function tokenIdGeneratorContract(name: string, createGenerator: () => TokenIdGenerator): void {
  describe(`${name} as a TokenIdGenerator`, () => {
    const generator = createGenerator();
    const ids = Array.from({ length: 20_000 }, () => generator.next());

    it('makes version 7 UUIDs in lower case', () => {
      for (const id of ids) {
        expect(parseTokenId(id)).toBe(id);
        expect(id).toMatch(/^.{14}7.{4}[89ab]/);
      }
    });

    it('makes each id once', () => {
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('makes ids that sort by age', () => {
      expect(ids.toSorted()).toEqual(ids);
    });
  });
}
