import { anEvent, aRevocation, aTokenId, givenAdmin, givenToken } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../testing/open-pool.ts';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { createDialect } from '../database/dialect.ts';
import { createValueTypes } from '../database/pool/value-types.ts';
import type { Schema } from '../database/schema.ts';
import { createPostgresTokenRepository } from './token-repository.ts';

/** The default number of connections for users. */
const TOGETHER = 9;
const STORED = 20_000;
/** The pages of an index descent and a row, for the token, its user, its account and its key. */
const MAX_PAGES_A_RECORD = 12;

const { url, database, store, close } = await openTestDatabase();
const sent: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
const queries = new Kysely<Schema>({
  dialect: createDialect(openPool(url, { types: createValueTypes() })),
  log: ({ query }) => {
    sent.push(query);
  },
});
const tokens = createPostgresTokenRepository({ ...database, queries });
const client = new pg.Client({ connectionString: url });
await client.connect();
afterAll(async () => {
  await client.end();
  await queries.destroy();
  await close();
});
const user = await givenAdmin(store);

test('records that are read together are one statement, and each read gets its own', async () => {
  const [one, revoked] = [await givenToken(store, user), await givenToken(store, user)];
  await store.tokens.revoke(revoked.id, aRevocation(), anEvent());
  const ids = [revoked.id, aTokenId(), one.id, revoked.id, one.id];
  sent.length = 0;
  const found = await Promise.all(ids.map((id) => tokens.findRecord(id)));
  expect(sent.length).toBe(1);
  expect(found.map((record) => record?.id)).toEqual([revoked.id, undefined, one.id, revoked.id, one.id]);
  expect(found.map((record) => record && record.revocation !== null)).toEqual([
    true,
    undefined,
    false,
    true,
    false,
  ]);
});

describe('among many tokens', () => {
  let ids: readonly TokenId[];
  beforeAll(async () => {
    const { id } = await givenToken(store, user);
    await client.query(
      `insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at)
         select gen_random_uuid(), account_id, user_id, subject, kind, 'Token ' || number, format, key_id, scopes,
           created_at, expires_at
         from tokens, generate_series(1, $2) as number where id = $1`,
      [id, STORED],
    );
    await client.query('vacuum analyze tokens');
    const { rows } = await client.query('select id from tokens order by name limit $1', [TOGETHER]);
    ids = rows.map((row) => row.id);
  });

  test.each(['force_custom_plan', 'force_generic_plan'])('each is read by its index (%s)', async (mode) => {
    sent.length = 0;
    await Promise.all(ids.map((id) => tokens.findRecord(id)));
    const [statement] = sent;
    if (statement === undefined) throw new Error('nothing was sent');
    await client.query(`deallocate all; set plan_cache_mode = ${mode}; prepare look_up as ${statement.sql}`);
    const look = `execute look_up ('{${ids}}')`;
    await client.query(look);
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${look}`);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    expect(plan['Actual Rows']).toBe(TOGETHER);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThanOrEqual(
      MAX_PAGES_A_RECORD * TOGETHER,
    );
  });
});
