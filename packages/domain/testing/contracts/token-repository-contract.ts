import { describe, expect, test } from 'vitest';
import type { Repositories } from '../../src/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  aToken,
  aTokenId,
  givenAccount,
  givenActiveKey,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

export function tokenRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of TokenRepository`, () => {
    const store = openRepositories(open);
    const insert = (token: Token) => store().tokens.insert(token, anEvent());

    test('a stored token is read with everything that decides on it', async () => {
      const { account, user, key } = await givenIssuer(store());
      const expiresAt = addMilliseconds(START, 86_400_000);
      const token = aToken(user, key, { scopes: ['me:read', 'orgs:read'], expiresAt });
      const event = anEvent({ action: 'token.created', subject: { type: 'token', id: token.id } });
      expect(await store().tokens.insert(token, event)).toEqual(ok(undefined));
      const record = await store().tokens.findRecord(token.id);
      expect(record).toEqual({ ...token, user, account, keyState: 'active' });
      expect(record).toSatisfy(isDeeplyFrozen);
      expect(await newestEvent(store())).toEqual(event);
    });

    test('a token is stored with its description, and a refused one leaves none', async () => {
      const { user, key } = await givenIssuer(store());
      const token = aToken(user, key, { name: 'ERP' });
      await store().tokens.insert(token, anEvent(), 'Reads stock');
      expect(await store().tokens.find(token.id)).toMatchObject({ description: 'Reads stock' });
      expect(await store().tokens.insert(token, anEvent(), 'Other')).toMatchObject({ ok: false });
      expect(await store().tokens.find(token.id)).toMatchObject({ description: 'Reads stock' });
      const plain = await givenToken(store(), user);
      expect(await store().tokens.find(plain.id)).toMatchObject({ description: null });
    });

    test('an unknown id is absent', async () => {
      expect(await store().tokens.findRecord(aTokenId())).toBeUndefined();
    });

    test('several tokens are read at once, without unknown ones', async () => {
      const { user } = await givenIssuer(store());
      const [one, other] = [await givenToken(store(), user), await givenToken(store(), user)];
      await givenToken(store(), user);
      const found = await store().tokens.findRecords([one.id, aTokenId(), other.id]);
      const records = await Promise.all([one, other].map(({ id }) => store().tokens.findRecord(id)));
      expect(new Set(found)).toEqual(new Set(records));
      for (const each of found) expect(each).toSatisfy(isDeeplyFrozen);
      expect(await store().tokens.findRecords([])).toEqual([]);
    });

    test('a disabled user, a user of a suspended account and a member get no API token', async () => {
      const { account, user, key } = await givenIssuer(store());
      const member = await givenUser(store(), account.id, { role: 'member' });
      const refused = err({ code: 'creator_not_fit' });
      expect(await insert(aToken(member, key))).toEqual(refused);
      await givenUser(store(), account.id);
      await store().users.disable(user.id, aRevocation(), anEvent());
      const before = await newestEvent(store());
      expect(await insert(aToken(user, key))).toEqual(refused);
      expect(await newestEvent(store())).toEqual(before);

      const second = await givenIssuer(store());
      await store().accounts.suspend(second.account.id, START, anEvent());
      expect(await insert(aToken(second.user, key))).toEqual(refused);
    });

    test('a user of another account gets no token', async () => {
      const { user, key } = await givenIssuer(store());
      const other = await givenAccount(store());
      expect(await insert(aToken(user, key, { accountId: other.id }))).toEqual(
        err({ code: 'creator_not_fit' }),
      );
    });

    test('a token of a staged key, a retired key or a key of another format is refused', async () => {
      const { user } = await givenIssuer(store());
      const refused = err({ code: 'key_not_usable' });
      const key = aSigningKey();
      await store().signingKeys.insert(key, anEvent());
      expect(await insert(aToken(user, key))).toEqual(refused);
      await store().signingKeys.activate(key.id, START, anEvent());
      expect(await insert(aToken(user, key))).toEqual(ok(undefined));
      expect(await insert(aToken(user, key, { format: 'jwt' }))).toEqual(refused);

      const next = aSigningKey();
      await store().signingKeys.insert(next, anEvent());
      await store().signingKeys.activate(next.id, START, anEvent());
      expect(await insert(aToken(user, key))).toEqual(ok(undefined));
      await store().signingKeys.retire(key.id, START, aRevocation(), anEvent());
      expect(await insert(aToken(user, key))).toEqual(refused);
    });

    test('a name is taken while one of the same user’s API tokens has it and has not ended', async () => {
      const { account, user, key } = await givenIssuer(store());
      const named = (parts: Partial<Token> = {}) => aToken(user, key, { name: 'ERP', ...parts });
      const first = named({ expiresAt: addMilliseconds(START, 10_000) });
      expect(await insert(first)).toEqual(ok(undefined));
      expect(await insert(named({ createdAt: addMilliseconds(START, 9_999) }))).toEqual(
        err({ code: 'token_name_taken' }),
      );
      const second = named({ createdAt: addMilliseconds(START, 10_000) });
      expect(await insert(second)).toEqual(ok(undefined));
      await store().tokens.revoke(second.id, aRevocation(), anEvent());
      expect(await insert(named({ createdAt: addMilliseconds(START, 20_000) }))).toEqual(ok(undefined));

      const colleague = await givenUser(store(), account.id);
      expect(await insert(aToken(colleague, key, { name: 'ERP' }))).toEqual(ok(undefined));
    });

    test('an id is inserted once, whosever token has it', async () => {
      const { user, key } = await givenIssuer(store());
      const taken = err({ code: 'token_id_taken' });
      const first = aToken(user, key, { name: 'ERP' });
      expect(await insert(first)).toEqual(ok(undefined));
      const before = await newestEvent(store());
      expect(await insert(first)).toEqual(taken);
      expect(await insert({ ...first, name: 'Wiki' })).toEqual(taken);
      const other = await givenIssuer(store());
      expect(await insert(aToken(other.user, other.key, { id: first.id }))).toEqual(taken);
      expect(await newestEvent(store())).toEqual(before);
      expect(await store().tokens.findRecord(first.id)).toMatchObject(first);
    });

    test('of several concurrent tokens with one id one is stored, whatever their names', async () => {
      const { user, key } = await givenIssuer(store());
      const id = aTokenId();
      const outcomes = await Promise.all(
        ['a', 'b', 'c', 'a'].map((name) => insert(aToken(user, key, { id, name }))),
      );
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
      expect(outcomes.filter((outcome) => !outcome.ok)).toEqual(
        Array.from({ length: 3 }, () => err({ code: 'token_id_taken' })),
      );
    });

    test('of two concurrent tokens with the same name one is stored', async () => {
      const { user, key } = await givenIssuer(store());
      const outcomes = await Promise.all([1, 2, 3].map(() => insert(aToken(user, key, { name: 'Twin' }))));
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    });

    test('the first revocation is kept, with one event', async () => {
      const { user } = await givenIssuer(store());
      const token = await givenToken(store(), user);
      const revocation = aRevocation({ by: { kind: 'user', id: user.id }, reason: 'leaked' });
      const revoked = await store().tokens.revoke(token.id, revocation, anEvent({ action: 'token.revoked' }));
      expect(revoked).toMatchObject(ok({ already: false, token: { ...token, revocation } }));
      expect((await store().tokens.findRecord(token.id))?.revocation).toEqual(revocation);

      const again = await store().tokens.revoke(token.id, aRevocation({ reason: 'again' }), anEvent());
      expect(again).toMatchObject(ok({ already: true, token: { revocation } }));
      expect((await newestEvent(store()))?.action).toBe('token.revoked');
      const unknown = await store().tokens.revoke(aTokenId(), revocation, anEvent());
      expect(unknown).toEqual(err({ code: 'token_not_found' }));
    });
  });
}

async function givenIssuer(store: Repositories) {
  const account = await givenAccount(store);
  return { account, user: await givenUser(store, account.id), key: await givenActiveKey(store) };
}
