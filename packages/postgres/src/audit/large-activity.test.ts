import type { AccountId } from '@gatehouse/domain/accounts';
import type { AuditQuery } from '@gatehouse/domain/audit';
import { START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCountedAuditLog } from '../../testing/counted-audit-log.ts';

/** The maximum number of pages of 8 KiB that a statement reads, in an account with any number of events. */
const MAX_PAGES = 20_000;
/** The maximum number of statements for a page of the list or of an export. */
const MAX_STATEMENTS = 25;

const EVENTS = 100_000;
const LARGE = 1 as AccountId;

const { client, vacuum, pagesTouched, close } = await openCountedAuditLog();
afterAll(close);

beforeAll(async () => {
  await client.query(`
    insert into audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
    select '2026-01-01'::timestamptz + n * interval '1 second',
      case when n % 2 = 0 then jsonb_build_object('kind', 'user', 'id', 7 + n / 2 % 20)
        else jsonb_build_object('kind', 'operator', 'name', 'cron', 'for', 7 + n / 2 % 20) end,
      '::1', action, split_part(action, '.', 1), case when action like 'o%' then '42' else (n % 5000)::text end, ${LARGE}, '{"name":"Press shop"}'
    from generate_series(1, ${EVENTS}) n cross join lateral (
      select case when n % 3 = 0 then 'token.updated' when n % 20000 = 7 then 'token.rotated'
        when n / 2 % 20 > 10 and n % 10 < 5 then 'organization.updated' else 'token.created' end) as made (action)`);
  await vacuum();
}, 300_000);

const second = (seconds: number) => addMilliseconds(START, seconds * 1000);
const OLD_DAY = { since: second(10), until: second(EVENTS / 10) };
const USER = 7 as UserId;
const actor = { kind: 'user', id: USER } as const;
const users = Array.from({ length: 20 }, (_, index) => (7 + index) as UserId);
const subject = { type: 'organization', id: '42' } as const;
const tokens = Array.from({ length: 50 }, (_, index) => String(index + 1) as TokenId);
const actions = ['token.created', 'token.rotated', 'token.revoked', 'user.created'] as const;

const FILTERS: Readonly<Record<string, Omit<AuditQuery, 'limit' | 'accountId'>>> = {
  'of the account': {},
  'of some actions': { actions },
  'of a rare action': { actions: ['token.rotated'] },
  'of an action that never happened': { actions: ['token.revoked'] },
  'since the first day': { since: second(10) },
  'until the middle': { until: second(EVENTS / 2) },
  'of most days': { ...OLD_DAY, until: second(EVENTS * 0.9) },
  'of an old day': OLD_DAY,
  'of an old day and some actions': { ...OLD_DAY, actions },
  'since the first day and of some actions': { since: second(10), actions },
  'since the first day and of a rare action': { since: second(10), actions: ['token.rotated'] },
  'of a user': { actor },
  'of a user since the first day': { actor, since: second(10) },
  'of a user on an old day': { actor, ...OLD_DAY },
  'of a user with a rare action': { actor, actions: ['token.rotated'] },
  'of 20 users': { users },
  'of 20 users since the first day': { users, since: second(10) },
  'of 20 users on an old day': { users, ...OLD_DAY },
  'of 20 users on an old day with some actions': { users, ...OLD_DAY, actions },
  'of 20 users with an action that never happened': { users, actions: ['token.revoked'] },
  'of an operator': { actor: { kind: 'operator', name: 'cron' } },
  'of an operator who did nothing': { actor: { kind: 'operator', name: 'root' } },
  'of 50 tokens': { tokens },
  'of 50 tokens on an old day': { tokens, ...OLD_DAY },
  'of 50 tokens and a user': { tokens, users: [USER] },
  'of 50 tokens with an action that never happened': { tokens, actions: ['token.revoked'] },
  'of a token by its id': { subject: { type: 'token', id: '42' } },
  'of an organization': { subject },
  'of an organization on an old day': { subject, ...OLD_DAY },
  'of an organization with an action that never happened': { subject, actions: ['token.revoked'] },
};

describe(`in an account with ${EVENTS} events`, () => {
  // The last number is the maximum number of pages of the database: more would be too many with a million events.
  describe.each([
    ['a page', 51, 3500],
    ['a thousand of an export', 1000, 11_000],
  ])('%s', (_, limit, most) => {
    test.each(Object.entries(FILTERS))(
      'of events %s is read by few statements, each of few pages of the database',
      async (_name, filter) => {
        const pages = await pagesTouched({ ...filter, accountId: LARGE, limit });
        expect(Math.max(...pages)).toBeLessThanOrEqual(most);
        expect(pages.length).toBeLessThanOrEqual(MAX_STATEMENTS);
      },
    );

    test.each<[string, Omit<AuditQuery, 'limit' | 'accountId'>]>([
      ['of an action', { users: users.slice(0, 10), actions: ['organization.updated'] }],
      ['of an organization', { users: [USER], subject }],
    ])(
      'of users and %s of many events, of which none is theirs, is read by statements of few pages',
      async (_name, filter) => {
        const pages = await pagesTouched({ ...filter, accountId: LARGE, limit });
        expect(Math.max(...pages)).toBeLessThanOrEqual(MAX_PAGES);
      },
    );
  });
});
