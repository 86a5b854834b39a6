import {
  aCredential,
  aTokenId,
  givenActiveKey,
  givenAdmin,
  givenOrganization,
  givenService,
  givenToken,
  givenUser,
} from '@gatehouse/domain/testing';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-store.ts';

describe('the schema, by plain SQL', async () => {
  const { url, store, close } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterAll(async () => {
    await client.end();
    await close();
  });

  /** The database's answer: the SQLSTATE of a refusal, or the number of rows. */
  async function run(
    statement: string,
    parameters: readonly unknown[] = [],
  ): Promise<string | number | null> {
    try {
      return (await client.query(statement, [...parameters])).rowCount;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code !== undefined) return error.code;
      throw error;
    }
  }
  const FOREIGN_KEY = '23503';
  const UNIQUE = '23505';
  const CHECK = '23514';
  const NOT_PERMITTED = '42501';
  const GENERATED = '428C9';

  const INSERT_TOKEN = `
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
    values ($1, $2, $3, $3, 'api', 'ERP', $4, $5, $6, now())`;

  const user = await givenAdmin(store);
  const other = await givenAdmin(store);
  const { accountId } = user;
  const key = await givenActiveKey(store);

  test('refuses a token whose user is in another account', async () => {
    const token = (accountId: number) => [aTokenId(), accountId, user.id, key.format, key.id, ['*']];
    expect(await run(INSERT_TOKEN, token(other.accountId))).toBe(FOREIGN_KEY);
    expect(await run(INSERT_TOKEN, token(accountId))).toBe(1);
    for (const move of [
      'update tokens set account_id = $1 where user_id = $2',
      'update users set account_id = $1 where id = $2',
    ]) {
      expect(await run(move, [other.accountId, user.id])).toBe(FOREIGN_KEY);
    }
  });

  test('refuses a token under a key of another format, or of none, or without scopes', async () => {
    const token = (...rest: unknown[]) => run(INSERT_TOKEN, [aTokenId(), accountId, user.id, ...rest]);
    expect(await token('jwt', key.id, ['*'])).toBe(FOREIGN_KEY);
    expect(await token(key.format, 'unknown', ['*'])).toBe(FOREIGN_KEY);
    expect(await token(key.format, key.id, [])).toBe(CHECK);
  });

  test('refuses a second token with the same id', async () => {
    const { id, keyId, format } = await givenToken(store, user);
    expect(await run(INSERT_TOKEN, [id, accountId, user.id, format, keyId, ['*']])).toBe(UNIQUE);
  });

  test.each(['revoked_at = now()', "revoked_by = '{}'", "revoked_reason = 'x'"])(
    'refuses an incomplete revocation: %s',
    async (change) => {
      const { id } = await givenToken(store, user);
      expect(await run(`update tokens set ${change} where id = $1`, [id])).toBe(CHECK);
    },
  );

  test('refuses a member of another account', async () => {
    const organization = await givenOrganization(store, accountId);
    for (const id of [accountId, other.accountId]) {
      const insert = 'insert into memberships values ($1, $2, $3, now())';
      expect(await run(insert, [organization.id, other.id, id])).toBe(FOREIGN_KEY);
    }
  });

  test.each([
    "update audit_events set origin = 'elsewhere'",
    'delete from audit_events',
    'truncate audit_events',
  ])('refuses changes of audit events: %s', async (statement) => {
    expect(await store.audit.list({ limit: 1 })).toHaveLength(1);
    expect(await run(statement)).toBe(NOT_PERMITTED);
  });

  test('refuses a session whose secret is not hashed to 32 bytes, or has the hash of another', async () => {
    const insert = `
      insert into sessions (id, secret_hash, user_id, created_at, last_seen_at, password_given_at, origin)
      values (gen_random_uuid(), $1, $2, now(), now(), now(), '192.0.2.1')`;
    expect(await run(insert, [Buffer.alloc(31), user.id])).toBe(CHECK);
    expect(await run(insert, [Buffer.alloc(33), user.id])).toBe(CHECK);
    expect(await run(insert, [Buffer.alloc(32), user.id])).toBe(1);
    expect(await run(insert, [Buffer.alloc(32), other.id])).toBe(UNIQUE);
    expect(await run(insert, [Buffer.alloc(32, 1), 999_999_999])).toBe(FOREIGN_KEY);
  });

  test('refuses a credential whose secret is not hashed to 32 bytes, or has the hash of another', async () => {
    const { name } = await givenService(store);
    const insert = `
      insert into service_credentials (id, service, secret_hash, created_at)
      values (gen_random_uuid(), $1, $2, now())`;
    expect(await run(insert, [name, Buffer.alloc(31)])).toBe(CHECK);
    expect(await run(insert, [name, Buffer.alloc(33)])).toBe(CHECK);
    expect(await run(insert, [name, Buffer.alloc(32)])).toBe(1);
    expect(await run(insert, [(await givenService(store)).name, Buffer.alloc(32)])).toBe(UNIQUE);
    expect(await run(insert, ['unknown', Buffer.alloc(32, 1)])).toBe(FOREIGN_KEY);
  });

  test('refuses a scope of another service, and a second scope with the same name or place', async () => {
    const { name } = await givenService(store, { scopes: [] });
    const { name: other } = await givenService(store);
    const insert =
      'insert into service_scopes (name, service, position, label, allows) values ($1, $2, $3, $1, $1)';
    expect(await run(insert, [`${name}:read`, name, 0])).toBe(1);
    expect(await run(insert, [`${name}:read`, name, 1])).toBe(UNIQUE);
    expect(await run(insert, [`${name}:write`, name, 0])).toBe(UNIQUE);
    expect(await run(insert, [`${other}:write`, name, 1])).toBe(CHECK);
    expect(await run(insert, [`${name}s:write`, name, 1])).toBe(CHECK);
    expect(await run(insert, ['unknown:read', 'unknown', 0])).toBe(FOREIGN_KEY);
  });

  test('refuses an unknown account of a service, and unknown tokens and credentials in uses', async () => {
    const { name, credentials } = await givenService(store, { credentials: [aCredential()] });
    const open = 'insert into service_accounts values ($1, $2)';
    expect(await run(open, [name, 999_999_999])).toBe(FOREIGN_KEY);
    const used = 'insert into token_service_uses values ($1, $2, now())';
    expect(await run(used, [aTokenId(), name])).toBe(FOREIGN_KEY);
    const token = await givenToken(store, user);
    expect(await run(used, [token.id, 'unknown'])).toBe(FOREIGN_KEY);
    expect(await run(used, [token.id, name])).toBe(1);
    expect(await run('delete from tokens where id = $1', [token.id])).toBe(1);
    const usedCredential = 'insert into service_credential_usage values ($1, now())';
    expect(await run(usedCredential, [aTokenId()])).toBe(FOREIGN_KEY);
    expect(await run(usedCredential, [credentials[0].id])).toBe(1);
  });

  test('treats emails that differ only in case as one', async () => {
    await givenUser(store, accountId, { email: 'Ada.Case@acme.example' });
    const insert = `
      insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      values ($1, $2, $3, 'Ada', 'member', 'hash', now())`;
    const email = 'ADA.CASE@acme.example';
    expect(await run(insert, [accountId, email, 'ada.case@acme.example'])).toBe(UNIQUE);
    expect(await run(insert, [accountId, email, email])).toBe(CHECK);
  });

  test('never reuses an id, and accepts no chosen one', async () => {
    const last = await givenOrganization(store, accountId);
    await run('delete from organizations where id = $1', [last.id]);
    const next = await givenOrganization(store, accountId);
    expect(next.id).toBeGreaterThan(last.id);
    const chosen = `insert into organizations (id, account_id, name, created_at) values ($1, $2, 'x', now())`;
    expect(await run(chosen, [last.id, accountId])).toBe(GENERATED);
  });

  test('allows one active key for each format', async () => {
    await givenActiveKey(store, 'jwt');
    const second = `
      insert into signing_keys (id, format, state, public_key, sealed_secret, created_at, activated_at)
      select id || '-2', format, state, public_key, sealed_secret, created_at, activated_at
      from signing_keys where format = 'jwt'`;
    expect(await run(second)).toBe(UNIQUE);
  });
});
