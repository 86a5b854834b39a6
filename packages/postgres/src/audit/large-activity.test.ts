import type { AccountId } from '@gatehouse/domain/accounts';
import type { AuditAction, AuditQuery } from '@gatehouse/domain/audit';
import { START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openPool } from '../../testing/open-pool.ts';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { createDialect } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { createPostgresAuditLog } from './audit-log.ts';

const EVENTS = 1_000_000;
const LARGE = 1 as AccountId;
const opened = await openTestDatabase();
const client = new pg.Client({ connectionString: opened.url });
await client.connect();
await client.query(`
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
  select '2026-01-01'::timestamptz + serial * interval '1 second',
    jsonb_build_object('kind', 'user', 'id', 7 + serial % 20),
    '::1', action, split_part(action, '.', 1), (serial % 5000)::text,
    ${LARGE}, '{"name":"Press shop"}'
  from generate_series(1, ${EVENTS}) serial cross join lateral (
    select case when serial % 3 = 0 then 'token.updated' when serial % 100000 = 7 then 'token.rotated' else 'token.created' end
  ) made (action)`);
await client.query('vacuum analyze audit_events');
afterAll(async () => {
  await client.end();
  await opened.close();
});

async function measured(query: AuditQuery) {
  const pool = openPool(opened.url);
  let last = { sql: '', parameters: [] as readonly unknown[] };
  const log = (event: { readonly query: typeof last }) => {
    last = event.query;
  };
  const queries = new Kysely<Schema>({ dialect: createDialect(pool), log });
  await createPostgresAuditLog({ ...opened.database, queries }).list(query);
  const begin = performance.now();
  await createPostgresAuditLog({ ...opened.database, queries }).list(query);
  const ms = performance.now() - begin;
  await queries.destroy();
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${last.sql}`, [...last.parameters]);
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return { pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], ms, temp: plan['Temp Written Blocks'] };
}
const second = (seconds: number) => addMilliseconds(START, seconds * 1000);
const users = Array.from({ length: 20 }, (_, n) => (7 + n) as UserId);
const tokens = Array.from({ length: 50 }, (_, n) => String(n) as TokenId);
const actions: readonly AuditAction[] = ['token.created', 'token.rotated', 'token.revoked', 'user.created'];
const FILTERS: Readonly<Record<string, Omit<AuditQuery, 'limit'>>> = {
  newest: {},
  'one user': { actor: { kind: 'user', id: 7 as UserId } },
  'all users': { users },
  'some tokens': { tokens },
  'tokens and a user': { tokens, users: [7 as UserId] },
  actions: { actions },
  'rare action': { actions: ['token.rotated'] },
  'no action': { actions: ['token.revoked'] },
  'since the first day': { since: second(10) },
  'until the middle': { until: second(500_000) },
  'a day': { since: second(500_000), until: second(586_400) },
  '30 days? half': { since: second(100_000), until: second(900_000) },
  'since with rare action': { since: second(10), actions: ['token.rotated'] },
  'since with actions': { since: second(10), actions },
  'one user since': { actor: { kind: 'user', id: 7 as UserId }, since: second(10) },
  'one user a day long ago': { actor: { kind: 'user', id: 7 as UserId }, since: second(10), until: second(86_400) },
  'user filter a day long ago': { users: [7 as UserId], since: second(10), until: second(86_400) },
  'all users a day long ago': { users, since: second(10), until: second(86_400) },
  'tokens a day long ago': { tokens, since: second(10), until: second(86_400) },
  'user who rarely did the action': { users: [7 as UserId], actions: ['token.rotated'] },
  'users who never did the action': { users, actions: ['token.revoked'] },
  'tokens never action': { tokens, actions: ['token.revoked'] },
  'one user (actor), never action': { actor: { kind: 'user', id: 7 as UserId }, actions: ['token.revoked'] },
};
test('measure', { timeout: 500_000 }, async () => {
  const out: string[] = [];
  for (const [name, filter] of Object.entries(FILTERS))
    for (const [page, limit] of [['page', 51], ['export page', 1000]] as const)
      for (const before of [undefined]) {
        const m = await measured({ ...filter, accountId: LARGE, before, limit });
        { const line = `${name}\t${page}\t${before ?? '-'}\t${m.pages}\t${m.ms.toFixed(0)} ms\t${m.temp}`; out.push(line); (await import('node:fs')).appendFileSync('/tmp/wt/m-measured.txt', line + '\n'); }
      }
  console.log(out.join('\n'));
  expect(1).toBe(1);
});
