import { describe, expect, test } from 'vitest';
import type { AccountId, UserId } from '../../src/index.ts';
import { anEvent, givenAccount, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openStore } from './open-store.ts';

export function auditLogContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of AuditLog`, () => {
    const store = openStore(open);

    test('an event is read as it was written', async () => {
      const account = await givenAccount(store());
      const event = anEvent({
        at: START,
        actor: { kind: 'user', id: 7 as UserId },
        origin: '2001:db8::1',
        action: 'account.suspended',
        subject: { type: 'account', id: String(account.id) },
        accountId: account.id,
        details: { name: 'Näme', scopes: ['me:read'], expires_at: null, count: 3, sure: true },
      });
      await store().accounts.suspend(account.id, START, event);
      expect(await store().audit.list({ limit: 1 })).toEqual([event]);
    });

    test('the newest events come first, as many as asked for', async () => {
      const ids: AccountId[] = [];
      for (const name of ['one', 'two', 'three']) {
        const insert = { name, createdAt: START };
        const created = await store().accounts.insert(insert, (account) =>
          anEvent({ subject: { type: 'account', id: String(account.id) } }),
        );
        ids.unshift(created.id);
      }
      const listed = await store().audit.list({ limit: 3 });
      expect(listed.map((event) => Number(event.subject.id))).toEqual(ids);
      expect(await store().audit.list({ limit: 2 })).toEqual(listed.slice(0, 2));
    });
  });
}
