import type { SessionSecretHash } from '@gatehouse/domain/sessions';
import type { UserId } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { createSessionTurns } from './session-turns.ts';

const hash = (number: number) => String(number).padStart(64, '0') as SessionSecretHash;
const [ADA, BEN] = [1 as UserId, 2 as UserId];
const ADDRESS = '2001:db8::1';
const NETWORK = 'network 2001:db8:0:0::/64';

test('the read of a session takes the turn of the client’s network until the session was found, then its user’s', () => {
  const turns = createSessionTurns();
  expect(turns.turnOf(hash(1), ADDRESS)).toBe(NETWORK);
  turns.found(hash(1), ADA);
  turns.found(hash(2), BEN);
  expect([1, 2, 3].map((each) => turns.turnOf(hash(each), ADDRESS))).toEqual([ADA, BEN, NETWORK]);
});

test('a session that has ended is unknown again: a copy of its cookie takes no turn of its user', () => {
  const turns = createSessionTurns();
  turns.found(hash(1), ADA);
  turns.ended(hash(1));
  expect(turns.turnOf(hash(1), ADDRESS)).toBe(NETWORK);
});

test('at most 10,000 sessions are remembered, the newest', () => {
  const turns = createSessionTurns();
  for (let each = 0; each < 10_001; each += 1) turns.found(hash(each), ADA);
  expect([0, 1, 10_000].map((each) => turns.turnOf(hash(each), ADDRESS))).toEqual([NETWORK, ADA, ADA]);
});
