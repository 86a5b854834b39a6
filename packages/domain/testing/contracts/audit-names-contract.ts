import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../src/accounts/index.ts';
import type { NamesQuery } from '../../src/audit/index.ts';
import type { TokenId } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, aToken, givenAccount, givenActiveKey, givenUser, unwrap } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

export function auditNamesContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of AuditLog for parts of names`, () => {
    const store = openRepositories(open);
    let account: Account;
    let ben: User;
    let ruben: User;
    let theirs: User;
    const tokens = new Map<string, TokenId>();

    async function givenTokenOf(user: User, called: string, kind: 'api' | 'sign-in' = 'api') {
      const token = aToken(user, await givenActiveKey(store()), { name: called, kind });
      unwrap(await store().tokens.insert(token, anEvent()));
      tokens.set(called, token.id);
    }

    beforeAll(async () => {
      account = await givenAccount(store());
      ben = await givenUser(store(), account.id, { email: 'ben@names.example' });
      ruben = await givenUser(store(), account.id, { email: 'ruben@names.example' });
      theirs = await givenUser(store(), (await givenAccount(store())).id, { email: 'ben@others.example' });
      for (const called of ['Door badges', 'badge printer', '100% _off']) await givenTokenOf(ben, called);
      await givenTokenOf(theirs, 'Their badges');
    });

    const find = (query: Partial<NamesQuery>) =>
      store().audit.findNamed({ accountId: account.id, limit: 10, ...query });
    const usersCalled = async (user: string) => (await find({ user })).users;
    const tokensCalled = async (token: string) => (await find({ token })).tokens;
    const idOf = (called: string) => tokens.get(called);

    test('users are found by any part of the email or name, whatever its case, by id', async () => {
      expect(await usersCalled('BEN@names')).toEqual([ben.id, ruben.id]);
      expect(await usersCalled('rub')).toEqual([ruben.id]);
      expect(await usersCalled('ada')).toEqual([ben.id, ruben.id]);
      expect(await usersCalled('eve')).toEqual([]);
    });

    test('the whole email of a user finds this user alone', async () => {
      expect(await usersCalled('Ben@Names.example')).toEqual([ben.id]);
    });

    test('API tokens are found by any part of the name, the newest first, or by the id', async () => {
      expect(await tokensCalled('BADGE')).toEqual([idOf('badge printer'), idOf('Door badges')]);
      expect(await tokensCalled(idOf('Door badges') ?? '')).toEqual([idOf('Door badges')]);
      expect(await tokensCalled('none')).toEqual([]);
    });

    test.each(['%', '_', '\\'])('no character is a wildcard: %s', async (character) => {
      const expected = character === '\\' ? [] : [idOf('100% _off')];
      expect(await tokensCalled(character)).toEqual(expected);
      expect(await usersCalled(character)).toEqual([]);
    });

    test('of another account, nothing is found, not even by an email or id', async () => {
      expect(await usersCalled(theirs.email)).toEqual([]);
      expect(await tokensCalled(idOf('Their badges') ?? '')).toEqual([]);
      const everywhere = await find({ accountId: undefined, user: theirs.email, token: 'their badges' });
      expect(everywhere).toEqual({ users: [theirs.id], tokens: [idOf('Their badges')] });
    });

    test('what was not asked for is undefined, and the limit holds for each', async () => {
      expect(await find({})).toEqual({ users: undefined, tokens: undefined });
      expect(await find({ user: 'ben', token: 'badge', limit: 1 })).toEqual({
        users: [ben.id],
        tokens: [idOf('badge printer')],
      });
    });
  });
}
