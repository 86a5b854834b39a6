import type { AccountId } from '@gatehouse/domain/accounts';
import type { Actor, AuditAction, AuditEventId, AuditQuery } from '@gatehouse/domain/audit';
import { START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { openCountedAuditLog } from '../../testing/counted-audit-log.ts';

const EVENTS = 100_000;
const OTHERS = 200_000;
const PAGE = 51;
/** The pages of the database for a page of events, each event on a page of its own, and for the index descents. */
const MAX_PAGES_TOUCHED = 400;

const LARGE = 1 as AccountId;
const SMALL = 2 as AccountId;
/** An operator whose script has acted for a user for years. */
const CRON = { kind: 'operator', name: 'cron' } as const;

/** The actions that a page of an account asks for; most events of the account are others. */
const ACTIONS: readonly AuditAction[] = [
  'token.created',
  'token.updated',
  'token.revoked',
  'token.transferred',
  'token.rotated',
  'token.replaced',
  'user.created',
  'user.disabled',
  'user.enabled',
  'user.role_set',
  'user.password_set',
];

const second = (seconds: number) => addMilliseconds(START, seconds * 1000);
const USERS = [7, 8, 9, 10, 11].map((id) => id as UserId);
const TOKENS = Array.from({ length: 50 }, (_, index) => String(3 * index + 3) as TokenId);

const { client, vacuum, pagesTouched: pagesOfEach, close } = await openCountedAuditLog();
await client.query(`
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
  select '2026-01-01'::timestamptz + serial * interval '1 second',
    case when serial % 3000 = 0 then '{"kind":"user","id":7}'
      when serial % 15000 = 3 then '{"kind":"operator","name":"root","for":9}'
      when serial % 12 = 0 then '{"kind":"operator","name":"cron","for":10}'
      else '{"kind":"operator","name":"root"}' end::jsonb,
    '::1', action, split_part(action, '.', 1), serial::text,
    case when serial % 3 = 0 then ${LARGE} else 3 + serial % 100 end, '{"name":"Press shop"}'
  from generate_series(1, ${EVENTS + OTHERS}) serial cross join lateral (
    select case when serial % 3 = 0 and serial > 600 then 'organization.updated' else 'token.created' end
  ) made (action);
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
  select now(), '{"kind":"user","id":8}', '::1', 'token.revoked', 'token', serial::text, ${SMALL}, '{}'
  from generate_series(1, 10) serial;
`);
await vacuum();
afterAll(close);

async function pagesTouched(query: AuditQuery): Promise<number> {
  const pages = await pagesOfEach(query);
  return pages.reduce((sum, each) => sum + each, 0);
}

describe(`an account with ${EVENTS} audit events`, () => {
  test.each<[string, Omit<AuditQuery, 'limit' | 'accountId'>]>([
    ['the newest', {}],
    ['those after a page in the middle', { before: 150_000 as AuditEventId }],
    ['those of tokens and users, which are the oldest', { actions: ACTIONS }],
    ['those of tokens and users after a page', { actions: ACTIONS, before: 300 as AuditEventId }],
    ['those of an action that never happened', { actions: ['token.rotated'] }],
    ['those since a time', { since: addMilliseconds(START, 299_990_000) }],
  ])('reads %s from few pages', async (_, filter) => {
    for (const accountId of [LARGE, SMALL]) {
      const touched = await pagesTouched({ ...filter, accountId, limit: PAGE });
      expect(touched).toBeLessThan(MAX_PAGES_TOUCHED);
    }
  });

  // A user has one account.
  test.each<[string, AccountId, number]>([
    ['of it', LARGE, 7],
    ['for whom an operator acted seldom', LARGE, 9],
    ['for whom an operator acted often', LARGE, 10],
    ['who did nothing', LARGE, 11],
    ['of a small account', SMALL, 8],
  ])('reads those of a user %s from few pages', async (_, accountId, id) => {
    const actor = { kind: 'user', id: id as UserId } as const;
    for (const before of [undefined, 150_000 as AuditEventId])
      expect(await pagesTouched({ actor, accountId, before, limit: PAGE })).toBeLessThan(MAX_PAGES_TOUCHED);
  });

  test.each<[string, Omit<AuditQuery, 'limit' | 'accountId'>]>([
    ['of some days in the middle', { since: second(150_000), until: second(151_000) }],
    ['of a day without events', { since: second(400_000) }],
    ['of some users', { users: USERS }],
    ['of some users and days', { users: USERS, since: second(1000) }],
    ['of some tokens', { tokens: TOKENS, actions: ACTIONS }],
    ['of some tokens and users', { tokens: TOKENS, users: USERS }],
  ])('reads those %s from few pages', async (_, filter) => {
    for (const before of [undefined, 150_900 as AuditEventId])
      expect(await pagesTouched({ ...filter, before, accountId: LARGE, limit: PAGE })).toBeLessThan(
        2 * MAX_PAGES_TOUCHED,
      );
  });

  test.each<[string, Actor]>([
    ['who acted for a user often', CRON],
    ['who acted for a user seldom', { kind: 'operator', name: 'root' }],
    ['who never acted', { kind: 'operator', name: 'eve' }],
    ['for the user', { ...CRON, for: 10 as UserId }],
  ])('reads those of an operator %s from few pages', async (_, actor) => {
    expect(await pagesTouched({ actor, limit: PAGE })).toBeLessThan(MAX_PAGES_TOUCHED);
  });

  test('reads many for one of several actions without their index, which is detected', async () => {
    await client.query('drop index audit_events_account_action');
    expect(await pagesTouched({ actions: ACTIONS, accountId: LARGE, limit: PAGE })).toBeGreaterThan(
      MAX_PAGES_TOUCHED,
    );
  });
});
