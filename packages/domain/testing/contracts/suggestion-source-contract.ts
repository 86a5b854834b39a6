import { describe, expect, test } from 'vitest';
import type { TokenId } from '../../src/tokens/index.ts';
import type { Email } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAccount, givenToken, givenUser } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

const ALL = { limit: 10 };

/** The contract of every SuggestionSource. */
export function suggestionSourceContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of SuggestionSource`, () => {
    const store = openRepositories(open);

    async function twoUsers() {
      const [acme, works] = [await givenAccount(store()), await givenAccount(store())];
      return { ada: await givenUser(store(), acme.id), eve: await givenUser(store(), works.id) };
    }

    const named = (prefix: string, more = {}) => store().suggestions.tokenNames({ prefix, ...ALL, ...more });

    test('names are found by prefix, in order, each once', async () => {
      const { ada, eve } = await twoUsers();
      for (const name of ['names-b', 'names-a', 'Names-c', 'other names-'])
        await givenToken(store(), ada, { name });
      await givenToken(store(), eve, { name: 'names-b' });
      expect(await named('names-')).toEqual(['names-a', 'names-b']);
      expect(await named('names-', { limit: 1 })).toEqual(['names-a']);
      expect(await named('names-', { accountId: eve.accountId })).toEqual(['names-b']);
      expect(await named('', { accountId: eve.accountId })).toEqual(['names-b']);
    });

    test.each(['per%cent', 'under_score', 'back\\slash', "quo'te", 'ünïcode', '🏭 works'])(
      'a prefix has no special characters: %s',
      async (name) => {
        const { ada } = await twoUsers();
        const accountId = ada.accountId;
        await givenToken(store(), ada, { name: `${name}!` });
        for (const other of ['perXcent!', 'underXscore!', 'backslash!']) {
          await givenToken(store(), ada, { name: other });
        }
        expect(await named(name, { accountId })).toEqual([`${name}!`]);
      },
    );

    test('sign-in tokens, and names that only revoked tokens have, are not suggested', async () => {
      const { ada } = await twoUsers();
      const accountId = ada.accountId;
      await givenToken(store(), ada, { name: 'Sign-in', kind: 'sign-in' });
      const { id } = await givenToken(store(), ada, { name: 'gone' });
      expect(await named('', { accountId })).toEqual(['gone']);
      await store().tokens.revoke(id, aRevocation(), anEvent());
      expect(await named('', { accountId })).toEqual([]);
    });

    test('tokens in any state are found by the prefix of their ids', async () => {
      const { ada, eve } = await twoUsers();
      const ids = ['01a2b3c4-d5e6-7000-8000-000000000001', '01a2b3c4-d5e6-7fff-8000-000000000001'];
      for (const id of ids) await givenToken(store(), ada, { id: id as TokenId, name: id });
      await store().tokens.revoke(ids[0] as TokenId, aRevocation(), anEvent());
      await givenToken(store(), eve, { id: '01a2b3c4-d5e6-7fff-8000-000000000002' as TokenId });
      const found = async (prefix: string, more = {}) => {
        const query = { prefix, accountId: ada.accountId, ...ALL, ...more };
        return (await store().suggestions.tokens(query)).map(({ id }) => id);
      };
      for (const prefix of ['01a', '01a2b3c4', '01a2b3c4-', '01a2b3c4-d5e6-7']) {
        expect(await found(prefix), prefix).toEqual(ids);
      }
      expect(await found('01a2b3c4-d5e6-7f')).toEqual([ids[1]]);
      expect(await found(ids[0] ?? '')).toEqual([ids[0]]);
      expect(await found('01a2b3c4', { limit: 1 })).toEqual([ids[0]]);
      for (const prefix of ['01a2b3c4d5', '01a2-b3c4', `${ids[0]}0`, '-', '01A2B3C4']) {
        expect(await found(prefix), prefix).toEqual([]);
      }
    });

    test('users are found by the prefix of their emails in any case', async () => {
      const { ada, eve } = await twoUsers();
      for (const [email, accountId] of [
        ['Zoe_1@acme.example', ada.accountId],
        ['zoe_2@works.example', eve.accountId],
        ['zoeX3@acme.example', ada.accountId],
      ] as const) {
        await givenUser(store(), accountId, { email: email as Email });
      }
      const found = async (prefix: string, more = {}) =>
        (await store().suggestions.users({ prefix, ...ALL, ...more })).map(({ email }) => email);
      expect(await found('zOe_')).toEqual(['Zoe_1@acme.example', 'zoe_2@works.example']);
      expect(await found('zoe_', { accountId: eve.accountId })).toEqual(['zoe_2@works.example']);
      expect(await found('zoe', { limit: 1 })).toEqual(['Zoe_1@acme.example']);
    });
  });
}
