import { AsyncLocalStorage } from 'node:async_hooks';
import type { UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase } from '../../../testing/open-test-store.ts';
import { onBehalf } from '../pool/askers.ts';
import { summaryOf } from './statement-watch.ts';

test.each([
  ['select "id" from "api_tokens" where "id" = $1 for update', 'SELECT api_tokens'],
  ['insert into "public"."audit_events" ("id") values ($1)', 'INSERT public.audit_events'],
  ['update api_tokens set name = $1', 'UPDATE api_tokens'],
  ['delete from only "sessions" where true', 'DELETE sessions'],
  ['with gone as (delete from sessions returning id) select * from gone', 'DELETE sessions gone'],
  ['with a as (select 1 from accounts) select * from a', 'SELECT accounts a'],
  ['insert into a select * from b join lateral (select 1 from c) x on true', 'INSERT a b c'],
  ['begin', 'BEGIN'],
  ['  /* from secret */ select 1 -- from secret', 'SELECT'],
  ["select 'from secret', $$ from secret $$, E'x' from organizations", 'SELECT organizations'],
  ['select * from unnest($1::bigint[]) asked', 'SELECT'],
  ['', 'OTHER'],
])('%s is summarized as %s', (sql, summary) => {
  expect(summaryOf(sql)).toEqual({ operation: summary.split(' ')[0], summary });
});

test('every statement of the pool is watched, with its fault, in the asynchronous context of its caller', async () => {
  const callers = new AsyncLocalStorage<string>();
  const watched: unknown[][] = [];
  const { database } = await aTestDatabase({
    empty: true,
    poolSize: 1,
    readWithinMs: 5_000,
    watch: (text) => {
      const { operation } = summaryOf(text);
      return (fault) =>
        void watched.push([callers.getStore(), operation, (fault as { code?: string })?.code]);
    },
  });
  // All but the first wait for their turn, which the one before gives them.
  const ask = (caller: string) =>
    callers.run(caller, () =>
      onBehalf.ofUser(Number(caller) as UserId, () => sql`select 1`.execute(database.queries)),
    );
  await Promise.all(['1', '2', '3'].map(ask));
  expect(watched).toEqual(['1', '2', '3'].map((caller) => [caller, 'SELECT', undefined]));
  watched.length = 0;
  await expect(sql`selct ${1}`.execute(database.queries)).rejects.toThrow();
  await database.queries.transaction().execute(async () => undefined);
  expect(watched.map(([, ...facts]) => facts)).toEqual([
    ['SELCT', '42601'],
    ['START', undefined],
    ['COMMIT', undefined],
  ]);
});
