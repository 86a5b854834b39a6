import type { AccountId } from '@gatehouse/domain/accounts';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import { aReader } from '@gatehouse/domain/testing';
import type { UserId } from '@gatehouse/domain/users';
import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../testing/open-pool.ts';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { createDialect } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { createPostgresOrganizationRepository } from './organization-repository.ts';

/** The numbers of organizations; at some of them one index is flatter than the other, and the planner prefers it. */
const SIZES = [30, 320, 20_000, 110_000];
const ACCOUNTS = 50;
const NONE = 999_999_999;
/**
 * How many reads share a statement; the second is the most that can be under way with ten connections, the default.
 */
const TOGETHER = [1, 72];
const MEMBER = 1 as UserId;

const opened = await openTestDatabase();
const client = new pg.Client({ connectionString: opened.url });
await client.connect();
await client.query(`
  alter table organizations set (autovacuum_enabled = off);
  insert into accounts (name, created_at) select 'Acme', now() from generate_series(1, ${ACCOUNTS});
  -- As in a restored database: of two indexes with the same cost, PostgreSQL uses the newer one.
  alter table organizations drop constraint organizations_pkey, add primary key (id);
`);
afterAll(async () => {
  await client.end();
  await opened.close();
});

interface Statement {
  readonly sql: string;
  parameters(account: number, ids: readonly number[]): readonly unknown[];
}

const compared: Statement = {
  sql: 'select id, name, description from organizations where id = $1 and account_id = $2',
  parameters: (account, [id]) => [id, account],
};

/** The statement of `findForUser`. */
async function sent(): Promise<Statement> {
  const pool = openPool(opened.url);
  let last = { sql: '', parameters: [] as readonly unknown[] };
  const log = ({ query }: { readonly query: typeof last }) => {
    last = query;
  };
  const queries = new Kysely<Schema>({ dialect: createDialect(pool), log });
  const { findForUser } = createPostgresOrganizationRepository({ ...opened.database, queries });
  const [marker, otherMarker] = [1_111 as OrganizationId, 2_222 as AccountId];
  await findForUser(marker, aReader({ userId: MEMBER, accountId: otherMarker }));
  await queries.destroy();
  const { sql, parameters } = last;
  return {
    sql,
    parameters: (account, ids) =>
      parameters.map((each) => {
        if (!Array.isArray(each)) return each;
        const [value] = each;
        if (value === marker) return arrayOf(ids);
        return arrayOf(ids.map(() => (value === otherMarker ? account : value)));
      }),
  };
}

const arrayOf = (values: readonly unknown[]) => `'{${values}}'`;

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Counts the pages that the prepared statement `look_up` touches once everything is warm. */
async function pagesTouched({ parameters }: Statement, account: number, ids: readonly number[]) {
  const look = `execute look_up (${parameters(account, ids).join(', ')})`;
  await client.query(look);
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${look}`);
  const plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** Counts the pages touched to look up other accounts' organizations, and ids that do not exist. */
async function pagesOf(statement: Statement, mode: string, together = 1) {
  await client.query(`deallocate all; set plan_cache_mode = ${mode}; prepare look_up as ${statement.sql}`);
  const { rows } = await client.query(`
    select own.account_id as account, organizations.id as other from organizations
      join (select account_id from organizations order by id limit 1) own on organizations.account_id <> own.account_id
      order by organizations.id desc limit ${together}`);
  const { account } = rows[0];
  const others = rows.map(({ other }) => Number(other));
  return {
    foreign: await pagesTouched(statement, account, others),
    none: await pagesTouched(
      statement,
      account,
      others.map((_, index) => NONE + index),
    ),
  };
}

describe.each(SIZES)('among %i organizations', (size) => {
  beforeAll(async () => {
    await client.query(`
      truncate organizations, memberships;
      insert into organizations (account_id, name, created_at)
        select (select min(id) from accounts) + serial % ${ACCOUNTS}, 'Press shop', now()
        from generate_series(1, ${size}) serial;
    `);
    await client.query('vacuum analyze organizations');
  });

  test.each(['force_custom_plan', 'force_generic_plan'])(
    "the database reads as many pages for another account's as for a missing one (%s)",
    async (mode) => {
      for (const together of TOGETHER) {
        const { foreign, none } = await pagesOf(await sent(), mode, together);
        expect(foreign).toBe(none);
        // It does not scan them.
        expect(foreign).toBeLessThan(10 * together);
      }
    },
  );
});

test('a statement that compares both ids reads more pages for another account’s, and is detected', async () => {
  const { foreign, none } = await pagesOf(compared, 'force_generic_plan');
  expect(foreign).toBeGreaterThan(none);
});
