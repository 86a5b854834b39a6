import { anEvent, aRevocation, aTokenId, givenAdmin, givenToken } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import type { Turn } from '../database/pool/fair-reads.ts';
import { createReadTurns } from './read-turns.ts';
import { createPostgresTokenRepository } from './token-repository.ts';

const { database, store, close } = await openTestDatabase();
afterAll(close);
const user = await givenAdmin(store);

/** Whose turns a process takes for the record of this token, which is asked for again and again. */
async function turnsFor(...ids: readonly TokenId[]): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  const tokens = createPostgresTokenRepository({
    ...database,
    sharingInTurn(turn, read) {
      turns.push(turn);
      return read();
    },
  });
  for (const id of ids) await tokens.findRecord(id, user.id);
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

test('at most 10,000 ended tokens are remembered, the newest', () => {
  const turns = createReadTurns();
  const ids = Array.from({ length: 10_001 }, () => aTokenId());
  for (const id of ids) turns.ended(id);
  expect(ids.slice(0, 2).map((id) => turns.turnOf(id, user.id))).toEqual([user.id, `ended ${user.id}`]);
});
