import { describe, expect, test } from 'vitest';
import { type AccountId, err, later, ok } from '../../src/index.ts';
import { anEvent, givenAccount, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openStore } from './open-store.ts';

const NOBODY = 999_999_999 as AccountId;

export function accountRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of AccountRepository`, () => {
    const store = openStore(open);

    test('an inserted account is found by its id, with the event that was made from it', async () => {
      const account = await store().accounts.insert({ name: 'Acme', createdAt: START }, (created) =>
        anEvent({ action: 'account.created', subject: { type: 'account', id: String(created.id) } }),
      );
      expect(account).toEqual({ id: account.id, name: 'Acme', createdAt: START, suspendedAt: null });
      expect(await store().accounts.findById(account.id)).toEqual(account);
      expect(await store().accounts.findById(account.id)).toSatisfy(isDeeplyFrozen);
      expect((await newestEvent(store()))?.subject).toEqual({ type: 'account', id: String(account.id) });
    });

    test('names may repeat, ids do not', async () => {
      const one = await givenAccount(store(), 'Twin');
      const two = await givenAccount(store(), 'Twin');
      expect(one.id).not.toBe(two.id);
    });

    test('an account whose event cannot be made is not there', async () => {
      const before = (await store().accounts.list()).length;
      const insert = store().accounts.insert({ name: 'Never', createdAt: START }, () => {
        throw new Error('no event');
      });
      await expect(insert).rejects.toThrow('no event');
      const names = (await store().accounts.list()).map((account) => account.name);
      expect(names).toHaveLength(before);
      expect(names).not.toContain('Never');
    });

    test('an unknown id is absent', async () => {
      expect(await store().accounts.findById(NOBODY)).toBeUndefined();
    });

    test('all accounts are listed by id', async () => {
      await givenAccount(store());
      const ids = (await store().accounts.list()).map((account) => account.id);
      expect(ids.length).toBeGreaterThan(1);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    });

    test('a suspension keeps its first moment, gets one event, and can be lifted', async () => {
      const { accounts } = store();
      const { id } = await givenAccount(store());
      const suspended = await accounts.suspend(id, START, anEvent({ action: 'account.suspended' }));
      expect(suspended).toMatchObject(ok({ id, suspendedAt: START }));
      expect((await newestEvent(store()))?.action).toBe('account.suspended');

      const again = await accounts.suspend(id, later(START, 5000), anEvent({ action: 'user.created' }));
      expect(again).toEqual(suspended);
      expect((await newestEvent(store()))?.action).toBe('account.suspended');

      const resumed = await accounts.resume(id, anEvent({ action: 'account.resumed' }));
      expect(resumed).toMatchObject(ok({ id, suspendedAt: null }));
      await accounts.resume(id, anEvent({ action: 'user.created' }));
      expect((await newestEvent(store()))?.action).toBe('account.resumed');
      expect(await accounts.findById(id)).toMatchObject({ suspendedAt: null });
    });

    test('suspending or resuming nobody is refused without an event', async () => {
      const notFound = err({ code: 'account_not_found' });
      const before = await newestEvent(store());
      expect(await store().accounts.suspend(NOBODY, START, anEvent({ origin: 'x' }))).toEqual(notFound);
      expect(await store().accounts.resume(NOBODY, anEvent({ origin: 'x' }))).toEqual(notFound);
      expect(await newestEvent(store())).toEqual(before);
    });
  });
}
