import { anEvent } from '@gatehouse/domain/testing';
import type { Instant } from '@gatehouse/domain/time';
import type { TimeEvents } from '@gatehouse/domain/time-events';
import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../testing/open-pool.ts';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { createDialect } from '../database/dialect.ts';
import { createValueTypes } from '../database/pool/value-types.ts';
import type { Schema } from '../database/schema.ts';
import { createPostgresTimeEvents } from './time-events.ts';

const TOKENS = 60_000;
/** One in this many tokens has an account of its own, with rules. */
const TOKENS_OF_ACCOUNT = 20;
/** Of one batch. */
const BATCH = 500;
/** Of 8 KiB, for one token of a batch: its rows, and a descent of each of their indexes. */
const MAX_PAGES_A_TOKEN = 40;
const NOW = Date.parse('2026-06-01T00:00:00Z') as Instant;

/** No statement may read all rows of these tables. */
const LARGE = [
  'tokens',
  'token_usage',
  'token_addresses',
  'token_watches',
  'watched_changes',
  'users',
  'accounts',
];

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

const scansOf = (node: Node): readonly string[] => [
  ...(node['Node Type'].endsWith('Seq Scan') ? [node['Relation Name'] ?? ''] : []),
  ...(node.Plans ?? []).flatMap(scansOf),
];

describe(`with ${TOKENS} tokens`, async () => {
  const { url, database, close } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sent: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const queries = new Kysely<Schema>({
    dialect: createDialect(openPool(url, { types: createValueTypes() })),
    log: ({ query }) => void sent.push(query),
  });
  const timeEvents = createPostgresTimeEvents({ ...database, queries });

  beforeAll(async () => {
    await client.query(`
      insert into accounts (name, created_at)
        select 'Account ' || n, now() from generate_series(1, ${TOKENS / TOKENS_OF_ACCOUNT}) as n;
      insert into users (account_id, email, email_key, name, role, password_hash, created_at)
        select id, id || '@acme.example', id || '@acme.example', 'Ada', 'admin', 'x', now() from accounts;
      insert into signing_keys (id, format, state, public_key, sealed_secret, created_at, activated_at)
        values ('key', 'paseto', 'active', decode(repeat('07', 32), 'hex'), 'x', now(), now());
      insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at)
        select ('01890000-0000-7000-8000-' || lpad(to_hex(n * 7919 % 1000003), 12, '0'))::uuid, owner.account_id,
          owner.id, owner.id, 'api', 'Token ' || n, 'paseto', 'key', array['me:read'], '2026-01-01', '2027-01-01'
        from generate_series(0::bigint, ${TOKENS} - 1) as n
        join users as owner on owner.id = n / ${TOKENS_OF_ACCOUNT} + 1;
      insert into token_addresses (token_id, used, refused)
        select id, '[{"address": "192.0.2.7", "first": 1767225600000, "last": 1767225600000, "times": 1}]', '[]'
        from tokens;
      truncate watched_changes;
      -- All tokens were looked at, and expire within a month: only a few are due.
      insert into token_watches (token_id, look_at, expires_at, days_left)
        select id, timestamptz '2026-06-02' + (row_number() over (order by id)) * interval '1 second', expires_at, 30
        from tokens;
      update token_policies set must_expire = true;
    `);
    await makeDue();
    await client.query('vacuum analyze');
  }, 300_000);
  afterAll(async () => {
    await queries.destroy();
    await client.end();
    await close();
  });

  /** Makes two batches of tokens due by their time, and two more by a change. */
  const makeDue = async () => {
    await client.query(`
      update token_watches set look_at = '2026-05-01' where token_id in (
        select token_id from token_watches order by md5(token_id::text) limit ${2 * BATCH});
      insert into watched_changes (token_id)
        select id from tokens order by md5(id::text || 'changed') limit ${2 * BATCH}`);
  };

  /** Executes the statements of a batch again, and undoes them. Returns the pages that they read and their scans. */
  async function costOf(call: (port: TimeEvents) => Promise<unknown>) {
    sent.length = 0;
    await call(timeEvents);
    const statements = sent.splice(0).filter(({ sql }) => !/^(start|begin|commit)/.test(sql));
    await client.query('begin');
    try {
      await client.query('delete from time_event_marks');
      const plans: Node[] = [];
      for (const { sql, parameters } of statements) {
        const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [
          ...parameters,
        ]);
        plans.push(rows[0]['QUERY PLAN'][0].Plan);
      }
      const pages = plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
      return { count: plans.length, pages, scans: plans.flatMap(scansOf) };
    } finally {
      await client.query('rollback');
    }
  }

  test('a batch of tokens reads the rows of its tokens only', async () => {
    let found = 0;
    const cost = await costOf(({ lookAtTokens }) =>
      lookAtTokens({ now: NOW, limit: BATCH }, ({ record, watch }) => {
        found += 1;
        const event = anEvent({ action: 'token.unused', subject: { type: 'token', id: record.id } });
        return { events: [event], watch: { ...watch, lookAt: NOW } };
      }),
    );
    expect(found).toBe(BATCH);
    expect(cost.count).toBe(5);
    expect(cost.scans.filter((table) => LARGE.includes(table))).toEqual([]);
    for (const pages of cost.pages) expect(pages).toBeLessThan(MAX_PAGES_A_TOKEN * BATCH);
  });

  test('accounts whose rules changed are found without their tokens', async () => {
    const cost = await costOf(({ recordExceededPolicies }) =>
      recordExceededPolicies({ now: NOW, limit: 10, countLimit: 1000 }, () => anEvent()),
    );
    expect(cost.scans.filter((table) => table === 'tokens' || table === 'users')).toEqual([]);
    for (const pages of cost.pages) expect(pages).toBeLessThan(2000);
  });
});
