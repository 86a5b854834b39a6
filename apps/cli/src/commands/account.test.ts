import { ok } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import { givenAccount, OPERATOR } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { createMemoryCli } from '../../testing/memory-cli.ts';
import { commands } from './account.ts';

const WORDS = { one: 'shift note', several: 'shift notes' };

/** The lines printed before an account with these belongings is suspended. */
async function facts(...counts: readonly number[]) {
  const { store, gatehouse } = createMemoryCli();
  const { id } = await givenAccount(store, 'Acme');
  const findAccountBelongings = vi.fn(async (_: unknown, asked: { readonly id: AccountId }) =>
    ok(asked.id === id ? counts.map((count) => ({ count, ...WORDS })) : []),
  );
  const suspend = commands.find((each) => 'verb' in each && each.verb === 'suspend');
  const asks = suspend && 'asks' in suspend ? suspend.asks : undefined;
  const found = await asks?.facts?.({ ...gatehouse, findAccountBelongings } as never, OPERATOR, {
    id: id as never,
  });
  return found?.ok ? found.value : found;
}

const ACME = 'Account "Acme" (1) has 0 active users and 0 active API tokens.';

test.each([
  [[], [ACME]],
  [[14], [ACME, 'Kept, but not served until the account is resumed: 14 shift notes.']],
  [
    [1, 1001],
    [
      ACME,
      'Kept, but not served until the account is resumed: 1 shift note and more than 1,000 shift notes.',
    ],
  ],
])('what extensions have of an account is named before it is suspended: %j', async (counts, lines) => {
  expect(await facts(...counts)).toEqual(lines);
});
