import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  allPages,
  anEvent,
  createWorld,
  givenAccount,
  givenPerson,
  OPERATOR,
  unwrap,
  type World,
} from '../../testing/index.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { Token } from '../tokens/token.ts';
import type { User } from '../users/user.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditEntry } from './audit-log.ts';
import { type ListAuditEventsInput, listAuditEvents } from './list-audit-events.ts';

describe('listAuditEvents', () => {
  let world: World;
  let account: Account;
  let ada: User;

  beforeEach(async () => {
    world = await createWorld();
    account = await givenAccount(world);
    ada = await givenPerson(world, { accountId: account.id, email: 'ada@acme.example' });
  });

  const record = async (parts: Partial<AuditEvent>) => {
    await world.accounts.insert({ name: 'Another', createdAt: world.clock.now() }, () =>
      anEvent({ at: world.clock.now(), accountId: account.id, ...parts }),
    );
  };
  const ask = async (question: Partial<ListAuditEventsInput>) => {
    const listed = await listAuditEvents(world)(OPERATOR, { limit: 10_000, ...question });
    return listed.ok ? (await allPages(listed.value)).flat() : listed.error.code;
  };
  const origins = async (question: Partial<ListAuditEventsInput>) => {
    const entries = await ask(question);
    return typeof entries === 'string' ? entries : entries.map(({ event }) => event.origin);
  };

  test('an actor is a user by the email in any case, else an operator by the name', async () => {
    await record({ origin: 'hers', actor: { kind: 'user', id: ada.id } });
    await record({ origin: 'theirs', actor: { kind: 'operator', name: 'someone@example' } });
    expect(await origins({ actor: 'ADA@acme.example' })).toEqual(['hers']);
    expect(await origins({ actor: 'someone@example' })).toEqual(['theirs']);
    expect(await origins({ actor: 'unknown' })).toEqual([]);
  });

  test('a subject is named by its id, a user by the email', async () => {
    const id = '01890000-0000-7000-8000-000000000001' as Token['id'];
    await record({ origin: 'token', subject: { type: 'token', id } });
    await record({ origin: 'user', subject: { type: 'user', id: String(ada.id) }, action: 'user.disabled' });
    expect(await origins({ subject: { type: 'token', id } })).toEqual(['token']);
    expect(
      await origins({ subject: { type: 'user', email: 'Ada@Acme.example' }, action: 'user.disabled' }),
    ).toEqual(['user']);
    expect(await origins({ subject: { type: 'user', email: 'nobody@acme.example' } })).toBe('user_not_found');
  });

  test('an unknown account is an error', async () => {
    expect(await ask({ accountId: 999 as AccountId })).toBe('account_not_found');
    expect(await ask({ accountId: account.id })).not.toEqual([]);
  });

  test('since includes its moment and until does not, both given as moments or as ages', async () => {
    const action = 'token.pruned';
    for (const origin of ['0', '1', '2', '3']) {
      await record({ origin, action });
      world.clock.advance(1000);
    }
    const start = addMilliseconds(world.clock.now(), -4000);
    const [one, three] = [{ at: addMilliseconds(start, 1000) }, { at: addMilliseconds(start, 3000) }];
    expect(await origins({ action, since: one, until: three })).toEqual(['2', '1']);
    expect(await origins({ action, since: { ago: 3000 }, until: { ago: 1000 } })).toEqual(['2', '1']);
  });

  test('an age beyond the first instant means the first instant', async () => {
    const list = vi.spyOn(world.audit, 'list');
    await ask({ since: { ago: 2 ** 53 - 1 }, limit: 1 });
    expect(list).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ since: 0, limit: 1 }));
  });

  test('pages follow each other, and an age is counted from the call, however long they are read', async () => {
    const action = 'token.pruned';
    for (let count = 0; count < 1500; count += 1) await record({ action });
    const input = { action, since: { ago: 1 }, limit: 1200 } as const;
    const entries: AuditEntry[] = [];
    for await (const page of unwrap(await listAuditEvents(world)(OPERATOR, input))) {
      entries.push(...page);
      world.clock.advance(60_000);
    }
    expect(entries).toEqual(await world.audit.list({ actions: [action], limit: 1200 }));
  });
});
