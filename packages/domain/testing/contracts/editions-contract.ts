import { describe, expect, test } from 'vitest';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

/** The contract of Editions that needs no other program. An adapter that can find programs tests that itself. */
export function editionsContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of Editions`, () => {
    const store = openRepositories(open);

    test('a program does not find itself, or programs of its own edition', async () => {
      await Promise.all([store().accounts.list({ limit: 1 }), store().accounts.list({ limit: 1 })]);
      expect(await store().editions.findOlder()).toEqual([]);
    });
  });
}
