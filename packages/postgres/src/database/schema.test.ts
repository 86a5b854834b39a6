import {
  aTokenId,
  givenAccount,
  givenActiveKey,
  givenOrganization,
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

  /** What the database answers: the SQLSTATE of a refusal, or the number of rows. */
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

  test('refuses a token whose user is in another account', async () => {
    const [one, other] = [await givenAccount(store), await givenAccount(store)];
    const user = await givenUser(store, one.id);
    const key = await givenActiveKey(store);
    const token = (accountId: number) => [aTokenId(), accountId, user.id, key.format, key.id, ['*']];
    expect(await run(INSERT_TOKEN, token(other.id))).toBe(FOREIGN_KEY);
    expect(await run(INSERT_TOKEN, token(one.id))).toBe(1);
    const move = 'update tokens set account_id = $1 where user_id = $2';
    expect(await run(move, [other.id, user.id])).toBe(FOREIGN_KEY);
    expect(await run('update users set account_id = $1 where id = $2', [other.id, user.id])).toBe(
      FOREIGN_KEY,
    );
  });

  test('refuses a token under a key of another format, or of none, or without scopes', async () => {
    const { id: accountId } = await givenAccount(store);
    const user = await givenUser(store, accountId);
    const key = await givenActiveKey(store);
    const token = (...rest: unknown[]) => run(INSERT_TOKEN, [aTokenId(), accountId, user.id, ...rest]);
    expect(await token('jwt', key.id, ['*'])).toBe(FOREIGN_KEY);
    expect(await token(key.format, 'unknown', ['*'])).toBe(FOREIGN_KEY);
    expect(await token(key.format, key.id, [])).toBe(CHECK);
  });

  test('refuses a second token with the same id', async () => {
    const { id: accountId } = await givenAccount(store);
    const user = await givenUser(store, accountId);
    const { id, keyId, format } = await givenToken(store, user);
    expect(await run(INSERT_TOKEN, [id, accountId, user.id, format, keyId, ['*']])).toBe(UNIQUE);
  });

  test('refuses an incomplete revocation', async () => {
    const { id: accountId } = await givenAccount(store);
    const { id } = await givenToken(store, await givenUser(store, accountId));
    expect(await run('update tokens set revoked_at = now() where id = $1', [id])).toBe(CHECK);
    expect(await run("update tokens set revoked_by = '{}' where id = $1", [id])).toBe(CHECK);
    expect(await run("update tokens set revoked_reason = 'x' where id = $1", [id])).toBe(CHECK);
  });

  test('refuses a member of another account', async () => {
    const [one, other] = [await givenAccount(store), await givenAccount(store)];
    const organization = await givenOrganization(store, one.id);
    const user = await givenUser(store, other.id);
    for (const { id } of [one, other]) {
      const insert = 'insert into memberships values ($1, $2, $3, now())';
      expect(await run(insert, [organization.id, user.id, id])).toBe(FOREIGN_KEY);
    }
  });

  test('refuses changes of audit events', async () => {
    await givenAccount(store);
    const before = await store.audit.list({ limit: 1000 });
    expect(before.length).toBeGreaterThan(0);
    expect(await run("update audit_events set origin = 'elsewhere'")).toBe(NOT_PERMITTED);
    expect(await run('delete from audit_events')).toBe(NOT_PERMITTED);
    expect(await run('truncate audit_events')).toBe(NOT_PERMITTED);
  });

  test('treats emails that differ only in case as one', async () => {
    const { id: accountId } = await givenAccount(store);
    await givenUser(store, accountId, { email: 'Ada.Case@acme.example' });
    const insert = `
      insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      values ($1, $2, $3, 'Ada', 'member', 'hash', now())`;
    const email = 'ADA.CASE@acme.example';
    expect(await run(insert, [accountId, email, 'ada.case@acme.example'])).toBe(UNIQUE);
    expect(await run(insert, [accountId, email, email])).toBe(CHECK);
  });

  test('never reuses an id, and accepts no chosen one', async () => {
    const { id: accountId } = await givenAccount(store);
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
