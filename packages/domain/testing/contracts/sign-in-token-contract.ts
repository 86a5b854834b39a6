import { describe, expect, test } from 'vitest';
import { err, ok, type Repositories } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import type { PasswordHash } from '../../src/users/index.ts';
import {
  A_GUARD,
  anEvent,
  aRevocation,
  aSigningKey,
  aToken,
  givenAccount,
  givenActiveKey,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const INSERTED = ok({ isSurplus: false });

/** The part of the TokenRepository contract that stores sign-in tokens. */
export function signInTokenContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the part of the contract of TokenRepository that stores sign-ins`, () => {
    const store = openRepositories(open);
    const insert = (token: Token, guard = A_GUARD) => store().tokens.insertSignIn(token, guard, anEvent());

    test('a member’s is stored with everything that decides on it, and its event', async () => {
      const { account, member, key } = await givenMemberOf(store());
      const expiresAt = addMilliseconds(START, 86_400_000);
      const token = aToken(member, key, { kind: 'sign-in', expiresAt });
      const event = anEvent({ action: 'token.created', subject: { type: 'token', id: token.id } });
      expect(await store().tokens.insertSignIn(token, A_GUARD, event)).toEqual(INSERTED);
      const record = await store().tokens.findRecord(token.id);
      expect(record).toEqual({ ...token, user: member, account, keyState: 'active' });
      expect(record).toSatisfy(isDeeplyFrozen);
      expect(await newestEvent(store())).toEqual(event);
    });

    test('one is refused, without an event, once the hash is not the verified one', async () => {
      const { member, key } = await givenMemberOf(store());
      const before = await newestEvent(store());
      const verifiedHash = '$test$changed' as PasswordHash;
      const signIn = aToken(member, key, { kind: 'sign-in' });
      expect(await insert(signIn, { ...A_GUARD, verifiedHash })).toEqual(err({ code: 'password_changed' }));
      expect(await store().tokens.findRecord(signIn.id)).toBeUndefined();
      expect(await newestEvent(store())).toEqual(before);
    });

    test('disabled users and those of a suspended or another account get none', async () => {
      const { account, member, key } = await givenMemberOf(store());
      const refused = err({ code: 'creator_not_fit' });
      const signIn = (parts: Partial<Token> = {}) => aToken(member, key, { kind: 'sign-in', ...parts });
      const other = await givenAccount(store());
      expect(await insert(signIn({ accountId: other.id }))).toEqual(refused);
      await store().accounts.suspend(account.id, START, anEvent());
      expect(await insert(signIn())).toEqual(refused);
      const second = await givenMemberOf(store());
      await store().users.disable(second.member.id, aRevocation(), anEvent());
      expect(await insert(aToken(second.member, second.key, { kind: 'sign-in' }))).toEqual(refused);
    });

    test('a key signs while it is active, then until it is retired where no active one is needed', async () => {
      const { member } = await givenMemberOf(store());
      const refused = err({ code: 'key_not_usable' });
      const needing = { ...A_GUARD, needsActiveKey: true };
      const key = aSigningKey();
      const signIn = (parts: Partial<Token> = {}) => aToken(member, key, { kind: 'sign-in', ...parts });
      await store().signingKeys.insert(key, anEvent());
      for (const guard of [A_GUARD, needing]) expect(await insert(signIn(), guard)).toEqual(refused);
      await store().signingKeys.activate(key.id, START, anEvent());
      for (const guard of [A_GUARD, needing]) {
        expect(await insert(signIn(), guard)).toEqual(INSERTED);
        expect(await insert(signIn({ format: 'jwt' }), guard)).toEqual(refused);
      }
      const next = aSigningKey();
      await store().signingKeys.insert(next, anEvent());
      await store().signingKeys.activate(next.id, START, anEvent());
      expect(await insert(signIn(), A_GUARD)).toEqual(INSERTED);
      expect(await insert(signIn(), needing)).toEqual(refused);
      await store().signingKeys.retire(key.id, START, aRevocation(), anEvent());
      expect(await insert(signIn(), A_GUARD)).toEqual(refused);
    });

    test('an id is inserted once, whosever token has it', async () => {
      const { account, member, key } = await givenMemberOf(store());
      const { id } = await givenToken(store(), await givenUser(store(), account.id));
      const before = await newestEvent(store());
      expect(await insert(aToken(member, key, { id, kind: 'sign-in' }))).toEqual(
        err({ code: 'token_id_taken' }),
      );
      expect(await newestEvent(store())).toEqual(before);
    });

    test('it is known that a user has more than are kept: live ones, at the creation of the new one', async () => {
      const { account, member, key } = await givenMemberOf(store());
      await givenToken(store(), await givenUser(store(), account.id), { kind: 'sign-in' });
      const guard = { ...A_GUARD, keep: 2 };
      const expiresAt = addMilliseconds(START, 1000);
      const signIn = (parts: Partial<Token> = {}) => aToken(member, key, { kind: 'sign-in', ...parts });
      expect(await insert(signIn({ revocation: aRevocation() }), guard)).toEqual(INSERTED);
      expect(await insert(signIn({ expiresAt }), guard)).toEqual(INSERTED);
      expect(await insert(signIn(), guard)).toEqual(INSERTED);
      expect(await insert(signIn(), guard)).toEqual(ok({ isSurplus: true }));
      expect(await insert(signIn({ createdAt: expiresAt }), { ...A_GUARD, keep: 3 })).toEqual(
        ok({ isSurplus: false }),
      );
      expect(await insert(signIn({ createdAt: expiresAt }), { ...A_GUARD, keep: 3 })).toEqual(
        ok({ isSurplus: true }),
      );
    });
  });
}

async function givenMemberOf(store: Repositories) {
  const account = await givenAccount(store);
  const member = await givenUser(store, account.id, { role: 'member' });
  return { account, member, key: await givenActiveKey(store) };
}
