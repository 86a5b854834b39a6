import { describe, expect, test } from 'vitest';
import { addMilliseconds } from '../../src/time/index.ts';
import { type AccountUserQuery, type User, type UserOrder, userCursorOf } from '../../src/users/index.ts';
import {
  A_HASH,
  anEvent,
  aRevocation,
  givenAccount,
  givenAdmin,
  givenMember,
  givenOrganization,
  givenToken,
  START,
  unwrap,
} from '../fixtures.ts';
import { givenIdentity } from '../identity-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

/** The part of `userRepositoryContract` that lists the users of an account, and shows one. */
export function accountUsersContract(name: string, open: OpenRepositories): void {
  describe(`${name} lists the users of an account`, () => {
    const store = openRepositories(open);
    let serial = 0;

    /** Creates an account with users of these names. All are members, except the first. */
    async function givenNamed(...names: readonly [string, ...string[]]) {
      const { id: accountId } = await givenAccount(store());
      const users: User[] = [];
      for (const each of names) {
        serial += 1;
        const email = `person-${serial}@acme.example` as User['email'];
        const role = users.length === 0 ? 'admin' : 'member';
        const user = { accountId, name: each, role, email, passwordHash: A_HASH, createdAt: START } as const;
        users.push(unwrap(await store().users.insert(user, () => anEvent())));
      }
      return users as [User, ...User[]];
    }
    const list = ([{ accountId }]: readonly [User, ...User[]], parts: Partial<AccountUserQuery> = {}) => {
      const query = { accountId, order: 'name', limit: 10, countLimit: 100, now: START } as const;
      return store().users.listOfAccount({ ...query, ...parts });
    };
    const namesOf = async (...asked: Parameters<typeof list>) =>
      (await list(...asked)).users.map(({ user }) => user.name);

    test('by name, regardless of case, or the newest first, of this account alone', async () => {
      const users = await givenNamed('bea', 'Cy', 'Ada', 'Bea');
      await givenAdmin(store());
      expect(await namesOf(users)).toEqual(['Ada', 'bea', 'Bea', 'Cy']);
      expect(await namesOf(users, { order: 'newest' })).toEqual(['Bea', 'Ada', 'Cy', 'bea']);
      expect(await list(users)).toMatchObject({ more: false, total: 4 });
    });

    test.each(['name', 'newest'] as const)(
      'page by page, forwards and backwards, by %s',
      async (order: UserOrder) => {
        const users = await givenNamed('Ada', 'ada', 'Bo', 'Cy', 'Dee');
        const all = (await list(users, { order })).users.map(({ user }) => user);
        const at = (index: number) => userCursorOf(order, all[index] ?? expect.fail());
        const page = async (cursor: AccountUserQuery['cursor']) => {
          const { users: listed, more, total } = await list(users, { order, cursor, limit: 2 });
          return [listed.map(({ user }) => all.findIndex(({ id }) => id === user.id)), more, total];
        };
        expect(await page(undefined)).toEqual([[0, 1], true, 5]);
        expect(await page({ after: at(1) })).toEqual([[2, 3], true, 5]);
        expect(await page({ after: at(3) })).toEqual([[4], false, 5]);
        expect(await page({ before: at(4) })).toEqual([[2, 3], true, 5]);
        expect(await page({ before: at(2) })).toEqual([[0, 1], false, 5]);
        expect(await page({ before: at(0) })).toEqual([[], false, 0]);
      },
    );

    test('found by the beginning of the email, or of any word of the name', async () => {
      const users = await givenNamed('Ada Lovelace', 'Grace Hopper', '100% Real_Name');
      expect(await namesOf(users, { search: 'love' })).toEqual(['Ada Lovelace']);
      expect(await namesOf(users, { search: 'GRACE H' })).toEqual(['Grace Hopper']);
      expect(await namesOf(users, { search: users[1]?.email.slice(0, 10).toUpperCase() })).toContain(
        'Grace Hopper',
      );
      for (const nothing of ['velace', '%', '_', 'acme'])
        expect(await namesOf(users, { search: nothing })).toEqual([]);
      expect(await namesOf(users, { search: '100%' })).toEqual(['100% Real_Name']);
      const ids = await store().users.list({ accountId: users[0].accountId, search: 'hop', limit: 9 });
      expect(ids).toEqual([users[1]]);
    });

    test('selected by role, and whether they are disabled', async () => {
      const users = await givenNamed('Ada', 'Bo', 'Cy');
      const [, bo] = users;
      await store().users.disable((bo as User).id, aRevocation(), anEvent());
      expect(await namesOf(users, { role: 'admin' })).toEqual(['Ada']);
      expect(await namesOf(users, { role: 'member' })).toEqual(['Bo', 'Cy']);
      expect(await namesOf(users, { isDisabled: true })).toEqual(['Bo']);
      expect(await namesOf(users, { isDisabled: false, role: 'member' })).toEqual(['Cy']);
      expect(await list(users, { role: 'member', countLimit: 1 })).toMatchObject({ total: 1 });
    });

    test('with the last sign-in and the number of live API tokens', async () => {
      const users = await givenNamed('Ada', 'Bo');
      const [ada] = users;
      const at = (seconds: number) => addMilliseconds(START, seconds * 1000);
      const record = (
        action: 'session.created' | 'session.ended' | 'token.created',
        seconds: number,
        kind = 'api',
      ) =>
        store().accounts.insert({ name: 'Another', createdAt: START }, () =>
          anEvent({ action, at: at(seconds), actor: { kind: 'user', id: ada.id }, details: { kind } }),
        );
      expect((await list(users)).users).toEqual([
        { user: ada, lastSignInAt: null, liveTokens: 0 },
        { user: users[1], lastSignInAt: null, liveTokens: 0 },
      ]);
      await record('session.created', 1);
      await record('token.created', 2, 'sign-in');
      await record('token.created', 3);
      await record('session.ended', 4);
      for (const parts of [{}, {}, { expiresAt: START }, { kind: 'sign-in' as const }])
        await givenToken(store(), ada, parts);
      expect((await list(users)).users[0]).toEqual({ user: ada, lastSignInAt: at(2), liveTokens: 2 });
    });

    test('a user is shown with the identities, and with the mark of the operator', async () => {
      const [ada] = await givenNamed('Ada');
      const [kept] = await givenNamed('Kim');
      const { person } = await givenIdentity(store(), ada);
      const audit = { marked: () => anEvent(), unlinked: () => anEvent() };
      await store().breakGlass.mark(kept.id, START, audit);
      const find = ({ id }: User) => store().users.findDetails(id, { at: START, limit: 1 });
      const { issuer, subject } = person;
      expect(await find(ada)).toMatchObject({
        hasPassword: true,
        breakGlassAt: null,
        identities: [{ issuer, subject, confirmedAt: START }],
      });
      expect(await find(kept)).toMatchObject({ breakGlassAt: START, identities: [] });
    });

    test('one user is shown with the same facts and the organizations, by name', async () => {
      const [ada] = await givenNamed('Ada');
      const { accountId } = ada;
      const [press, foundry] = [
        await givenOrganization(store(), accountId),
        await givenOrganization(store(), accountId),
      ];
      await givenOrganization(store(), accountId);
      for (const { id } of [press, foundry]) await givenMember(store(), id, ada.id);
      await givenToken(store(), ada);
      const find = (limit: number) => store().users.findDetails(ada.id, { at: START, limit });
      expect(await find(9)).toEqual({
        user: ada,
        lastSignInAt: null,
        liveTokens: 1,
        secondFactorAt: null,
        hasPassword: true,
        breakGlassAt: null,
        identities: [],
        organizations: [press, foundry].map(({ id, name: called }) => ({ id, name: called })),
      });
      expect((await find(1))?.organizations).toHaveLength(1);
      expect(
        await store().users.findDetails(999_999_999 as User['id'], { at: START, limit: 9 }),
      ).toBeUndefined();
    });
  });
}
