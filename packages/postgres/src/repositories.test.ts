import type { SessionRecord, SessionRepository, SessionSecretHash } from '@gatehouse/domain/sessions';
import {
  anEvent,
  aRevocation,
  aTokenId,
  createInMemoryRepositories,
  givenAdmin,
  givenToken,
} from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { describe, expect, test } from 'vitest';
import { currentAsker, keyOf, onBehalf } from './database/pool/askers.ts';
import { withTurnsOfEndedTokens, withTurnsOfUsers } from './repositories.ts';

const hash = (number: number) => String(number).padStart(64, '0') as SessionSecretHash;
const [ADA, BEN] = [1 as UserId, 2 as UserId];
const NETWORK = 'network 2001:db8:0:0::/64';

/** A process and its sessions, by the hash of their secrets. */
function openSessions() {
  const users = new Map<SessionSecretHash, UserId>();
  const turns: unknown[] = [];
  const sessions = withTurnsOfUsers({
    async find(secretHash: SessionSecretHash) {
      const asker = currentAsker();
      turns.push(asker && keyOf(asker));
      const userId = users.get(secretHash);
      return userId && ({ userId } as SessionRecord);
    },
    // Nothing else is called.
  } as SessionRepository);
  /** Whose turn the read of a session takes. */
  const turnOf = async (secretHash: SessionSecretHash) => {
    await onBehalf.ofClient('2001:db8::1', () => sessions.find(secretHash));
    return turns.at(-1);
  };
  return { users, turnOf };
}

test('the read of a session takes the turn of the client’s network until the session was found, then its user’s', async () => {
  const { users, turnOf } = openSessions();
  users.set(hash(1), ADA).set(hash(2), BEN);
  const turns = [];
  for (const each of [1, 2, 1, 2, 3, 3]) turns.push(await turnOf(hash(each)));
  expect(turns).toEqual([NETWORK, NETWORK, ADA, BEN, NETWORK, NETWORK]);
});

test('a session that has ended is unknown again: a copy of its cookie takes no turn of its user', async () => {
  const { users, turnOf } = openSessions();
  users.set(hash(1), ADA);
  await turnOf(hash(1));
  users.delete(hash(1));
  expect([await turnOf(hash(1)), await turnOf(hash(1))]).toEqual([ADA, NETWORK]);
});

test('at most 10,000 sessions are remembered, the newest', async () => {
  const { users, turnOf } = openSessions();
  for (let each = 0; each < 10_001; each += 1) {
    users.set(hash(each), ADA);
    await turnOf(hash(each));
  }
  expect([await turnOf(hash(10_000)), await turnOf(hash(1)), await turnOf(hash(0))]).toEqual([
    ADA,
    ADA,
    NETWORK,
  ]);
});

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
