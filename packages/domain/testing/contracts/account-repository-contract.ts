import { describe, expect, test } from 'vitest';
import type { Account, AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { UserId } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  givenAccount,
  givenAdmin,
  givenAdmins,
  givenOrganization,
  givenToken,
  START,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';
import { pagesOf } from './pages-of.ts';

const NOBODY = 999_999_999 as AccountId;

/** A limit above the number of records in any test. */
const ALL = { limit: 10_000 };

export function accountRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of AccountRepository`, () => {
    const store = openRepositories(open);

    test('an inserted account is found by its id, with the event that was made from it', async () => {
      const given = { name: 'Acme', createdAt: START };
      const account = await store().accounts.insert(given, ({ id }) => anEvent({ origin: `made ${id}` }));
      expect(account).toEqual({ id: account.id, ...given, suspendedAt: null });
      const found = await store().accounts.findById(account.id);
      expect(found).toEqual(account);
      expect(found).toSatisfy(isDeeplyFrozen);
      expect((await newestEvent(store()))?.origin).toBe(`made ${account.id}`);
      expect(await store().accounts.findById(NOBODY)).toBeUndefined();
    });

    test('an account whose event cannot be created is not inserted', async () => {
      const before = (await store().accounts.list(ALL)).length;
      const insert = store().accounts.insert({ name: 'Never', createdAt: START }, () => {
        throw new Error('no event');
      });
      await expect(insert).rejects.toThrow('no event');
      const names = (await store().accounts.list(ALL)).map((account) => account.name);
      expect(names).toHaveLength(before);
      expect(names).not.toContain('Never');
    });

    test('all accounts are listed by id, page by page', async () => {
      await givenAccount(store());
      await givenAccount(store());
      const all = await store().accounts.list(ALL);
      const ids = all.map((account) => account.id);
      expect(ids.length).toBeGreaterThan(2);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(await pagesOf<Account>((page) => store().accounts.list(page))).toEqual(all);
    });

    test('the use of an account is its active users, live API tokens and organizations, counted up to a limit', async () => {
      const [user, other] = await givenAdmins(store());
      const count = (limit: number, id = user.accountId) =>
        store().accounts.countUse(id, { at: addMilliseconds(START, 60_000), limit });
      expect(await count(9)).toEqual({ activeUsers: 2, apiTokens: 0, organizations: 0 });
      for (let made = 0; made < 2; made += 1) await givenOrganization(store(), user.accountId);
      await givenToken(store(), user, { expiresAt: addMilliseconds(START, 60_001) });
      await givenToken(store(), user);
      await givenToken(store(), user, { kind: 'sign-in', expiresAt: addMilliseconds(START, 60_001) });
      await givenToken(store(), user, { expiresAt: addMilliseconds(START, 60_000) });
      const ended = await givenToken(store(), user);
      await store().tokens.revoke(ended.id, aRevocation(), anEvent());
      await givenToken(store(), await givenAdmin(store()));
      expect(await count(9)).toEqual({ activeUsers: 2, apiTokens: 2, organizations: 2 });
      expect(await count(1)).toEqual({ activeUsers: 1, apiTokens: 1, organizations: 1 });
      await store().users.disable(other.id, aRevocation(), anEvent());
      expect(await count(9)).toEqual({ activeUsers: 1, apiTokens: 2, organizations: 2 });
      expect(await count(9, NOBODY)).toEqual({ activeUsers: 0, apiTokens: 0, organizations: 0 });
    });

    test('accounts are found by their exact name, up to a limit', async () => {
      const name = `Twin ${(await store().accounts.list(ALL)).length}`;
      const [one, two] = [await givenAccount(store(), name), await givenAccount(store(), name)];
      await givenAccount(store(), name.toLowerCase());
      expect(await store().accounts.listByName(name, 9)).toEqual([one, two]);
      expect(await store().accounts.listByName(name, 1)).toEqual([one]);
      expect(await store().accounts.listByName('No account', 9)).toEqual([]);
    });

    test('an account is renamed with one event, made from the account before the change', async () => {
      const { accounts } = store();
      const before = await givenAccount(store(), 'Acme');
      const rename = (name: string, origin: string) =>
        accounts.rename(before.id, name, (told) => anEvent({ origin: `${origin} ${told.name}` }));
      const account = { ...before, name: 'Acme Works' };
      expect(await rename('Acme Works', 'was')).toEqual(ok({ account, already: false }));
      expect(await accounts.findById(before.id)).toEqual(account);
      expect(await rename('Acme Works', 'still')).toEqual(ok({ account, already: true }));
      expect((await newestEvent(store()))?.origin).toBe('was Acme');
      const unknown = await accounts.rename(NOBODY, 'Acme', () => anEvent());
      expect(unknown).toEqual(err({ code: 'account_not_found' }));
    });

    test('an admin renames only as an active admin of the account, which is not suspended', async () => {
      const { accounts, users } = store();
      const [admin, other] = await givenAdmins(store());
      const { accountId } = admin;
      const rename = (id: UserId) => {
        const event = anEvent({ actor: { kind: 'user', id }, accountId, origin: `by ${id}` });
        return accounts.rename(accountId, `Named by ${id}`, () => event);
      };
      expect(await rename(admin.id)).toMatchObject({ ok: true });
      expect((await newestEvent(store()))?.origin).toBe(`by ${admin.id}`);
      const refused = err({ code: 'not_allowed' });
      expect(await rename((await givenAdmin(store())).id)).toEqual(refused);
      await users.setRole(other.id, 'member', () => anEvent());
      expect(await rename(other.id)).toEqual(refused);
      await users.setRole(other.id, 'admin', () => anEvent());
      await users.disable(other.id, aRevocation(), anEvent());
      expect(await rename(other.id)).toEqual(refused);
      await accounts.suspend(accountId, START, anEvent());
      expect(await rename(admin.id)).toEqual(refused);
      expect((await accounts.findById(accountId))?.name).toBe(`Named by ${admin.id}`);
    });

    test('a suspension keeps its first timestamp, gets one event, and can be lifted', async () => {
      const { accounts } = store();
      const { id } = await givenAccount(store());
      const suspended = await accounts.suspend(id, START, anEvent({ action: 'account.suspended' }));
      expect(suspended).toMatchObject(ok({ account: { id, suspendedAt: START }, already: false }));
      expect((await newestEvent(store()))?.action).toBe('account.suspended');

      const later = addMilliseconds(START, 5000);
      const again = await accounts.suspend(id, later, anEvent({ action: 'user.created' }));
      expect(again).toMatchObject(ok({ account: { id, suspendedAt: START }, already: true }));
      expect((await newestEvent(store()))?.action).toBe('account.suspended');

      const resumed = await accounts.resume(id, anEvent({ action: 'account.resumed' }));
      expect(resumed).toMatchObject(ok({ account: { id, suspendedAt: null }, already: false }));
      const twice = await accounts.resume(id, anEvent({ action: 'user.created' }));
      expect(twice).toMatchObject(ok({ account: { id, suspendedAt: null }, already: true }));
      expect((await newestEvent(store()))?.action).toBe('account.resumed');
      expect(await accounts.findById(id)).toMatchObject({ suspendedAt: null });
    });

    test('suspending or resuming an unknown account is refused without an event', async () => {
      const notFound = err({ code: 'account_not_found' });
      const before = await newestEvent(store());
      expect(await store().accounts.suspend(NOBODY, START, anEvent({ origin: 'x' }))).toEqual(notFound);
      expect(await store().accounts.resume(NOBODY, anEvent({ origin: 'x' }))).toEqual(notFound);
      expect(await newestEvent(store())).toEqual(before);
    });
  });
}
