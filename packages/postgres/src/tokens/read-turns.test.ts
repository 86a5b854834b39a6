import {
  anEvent,
  aRevocation,
  aTokenId,
  createInMemoryRepositories,
  givenAdmin,
  givenToken,
} from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { currentAsker, keyOf, onBehalf } from '../database/pool/askers.ts';
import { withTurnsOfEndedTokens } from './read-turns.ts';

const store = createInMemoryRepositories();
const user = await givenAdmin(store);

/** Returns the keys whose turns a process takes for the reads of these records, made one after the other. */
async function turnsFor(...ids: readonly TokenId[]): Promise<readonly unknown[]> {
  const turns: unknown[] = [];
  const tokens = withTurnsOfEndedTokens({
    ...store.tokens,
    findRecord(id) {
      const asker = currentAsker();
      turns.push(asker && keyOf(asker));
      return store.tokens.findRecord(id);
    },
  });
  for (const id of ids) await onBehalf.ofUser(user.id, () => tokens.findRecord(id));
  return turns;
}

describe('the read of a record takes', () => {
  test('the turn of the user, each time', async () => {
    const { id } = await givenToken(store, user);
    expect(await turnsFor(id, id, id)).toEqual([user.id, user.id, user.id]);
  });

  test('a separate turn once the token is known to be deleted, shared with the user’s other ended tokens', async () => {
    const [one, other] = [aTokenId(), aTokenId()];
    const ended = `ended ${user.id}`;
    expect(await turnsFor(one, one, other, other, one)).toEqual([user.id, ended, user.id, ended, ended]);
  });

  test('a separate turn once the token is known to be revoked', async () => {
    const { id } = await givenToken(store, user);
    await store.tokens.revoke(id, aRevocation(), anEvent());
    expect(await turnsFor(id, id)).toEqual([user.id, `ended ${user.id}`]);
  });
});

test('at most 10,000 ended tokens are remembered, the newest', async () => {
  const ids = Array.from({ length: 10_001 }, () => aTokenId());
  const [first, second] = ids as [TokenId, TokenId];
  const turns = await turnsFor(...ids, second, first);
  expect(turns.slice(-2)).toEqual([`ended ${user.id}`, user.id]);
});
