import type { Change } from '@gatehouse/domain/changes';
import {
  aCredential,
  aTokenId,
  givenAccount,
  givenActiveKey,
  givenAdmin,
  givenMember,
  givenOrganization,
  givenService,
  givenToken,
  givenUser,
} from '@gatehouse/domain/testing';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { openTestDatabase } from '../../testing/open-test-store.ts';

const EVERYTHING = { kind: 'everything' } as const;

describe('changes by plain SQL', async () => {
  const { url, database, store, close } = await openTestDatabase();
  const feed = await openFeed({ listenUrl: url, database });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterAll(async () => {
    await client.end();
    await feed.feed.close();
    await close();
  });

  async function toldBy(statement: string, parameters: readonly unknown[] = []): Promise<readonly Change[]> {
    await feed.hear();
    feed.told.length = 0;
    await client.query(statement, [...parameters]);
    await feed.hear();
    return [...feed.told];
  }

  test('to a token are notified; its creation is not', async () => {
    const user = await givenAdmin(store);
    const key = await givenActiveKey(store);
    const id = aTokenId();
    const insert = `
      insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
      values ($1, $2, $3, $3, 'api', 'By hand', $4, $5, '{*}', now())`;
    expect(await toldBy(insert, [id, user.accountId, user.id, key.format, key.id])).toEqual([]);
    const token = [{ kind: 'token', id }];
    expect(await toldBy('update tokens set expires_at = now() where id = $1', [id])).toEqual(token);
    expect(await toldBy('delete from tokens where id = $1', [id])).toEqual(token);
    expect(await toldBy('delete from tokens where id = $1', [id])).toEqual([]);
  });

  test('to a user are notified, except for the password’s hash', async () => {
    const { id } = await givenAdmin(store);
    const user = [{ kind: 'user', id }];
    expect(await toldBy("update users set password_hash = 'other' where id = $1", [id])).toEqual([]);
    for (const change of ["name = 'Eva'", "role = 'member'", 'disabled_at = now()', 'disabled_at = null']) {
      expect(await toldBy(`update users set ${change} where id = $1`, [id])).toEqual(user);
    }
    const email = "email = 'eva@acme.example', email_key = 'eva@acme.example'";
    expect(await toldBy(`update users set ${email} where id = $1`, [id])).toEqual(user);
    expect(await toldBy('delete from users where id = $1', [id])).toEqual(user);
  });

  test('to many users at once name those that changed', async () => {
    const [one, other] = [await givenAdmin(store), await givenAdmin(store)];
    const rename = "update users set name = case id when $1 then 'Eva' else name end where id in ($1, $2)";
    expect(await toldBy(rename, [one.id, other.id])).toEqual([{ kind: 'user', id: one.id }]);
  });

  test('to an account are notified', async () => {
    const { id } = await givenAccount(store);
    const account = [{ kind: 'account', id }];
    expect(await toldBy('update accounts set suspended_at = now() where id = $1', [id])).toEqual(account);
    expect(await toldBy('delete from accounts where id = $1', [id])).toEqual(account);
  });

  test('to an organization are notified, including its creation', async () => {
    const { id: accountId } = await givenAccount(store);
    const insert = "insert into organizations (account_id, name, created_at) values ($1, 'By hand', now())";
    const [inserted] = await toldBy(insert, [accountId]);
    const id = inserted?.kind === 'organization' ? inserted.id : undefined;
    expect(id).toBeGreaterThan(0);
    expect(await toldBy("update organizations set name = 'x' where id = $1", [id])).toEqual([inserted]);
    expect(await toldBy('delete from organizations where id = $1', [id])).toEqual([inserted]);
  });

  test('to a membership are notified, including its creation', async () => {
    const { id: userId, accountId } = await givenAdmin(store);
    const { id: organizationId } = await givenOrganization(store, accountId);
    const { id: elsewhere } = await givenOrganization(store, accountId);
    const membership = { kind: 'membership', organizationId, userId };
    const moved = { kind: 'membership', organizationId: elsewhere, userId };
    const insert = 'insert into memberships values ($1, $2, $3, now())';
    expect(await toldBy(insert, [organizationId, userId, accountId])).toEqual([membership]);
    const move = 'update memberships set organization_id = $1 where user_id = $2';
    const told = await toldBy(move, [elsewhere, userId]);
    expect(told).toHaveLength(2);
    expect(told).toEqual(expect.arrayContaining([membership, moved]));
    expect(await toldBy('delete from memberships where user_id = $1', [userId])).toEqual([moved]);
  });

  test('to a key are notified, including its creation', async () => {
    const id = `k4.pid.${'x'.repeat(44)}`;
    const insert = `
      insert into signing_keys (id, format, state, public_key, sealed_secret, created_at)
      values ($1, 'paseto', 'staged', decode(repeat('07', 32), 'hex'), 'sealed', now())`;
    const key = [{ kind: 'key', id }];
    expect(await toldBy(insert, [id])).toEqual(key);
    expect(await toldBy("update signing_keys set sealed_secret = 'x' where id = $1", [id])).toEqual(key);
    expect(await toldBy('delete from signing_keys where id = $1', [id])).toEqual(key);
  });

  test('to a service, and to its scopes, accounts and credentials, are notified, including their creation', async () => {
    const { id: accountId } = await givenAccount(store);
    const name = 'by-hand';
    const service = [{ kind: 'service', id: name }];
    const told = (statement: string, ...parameters: readonly unknown[]) =>
      toldBy(statement, [name, ...parameters]);
    for (const [table, insert, ...parameters] of [
      ['services', 'insert into services values ($1, null, true, now())'],
      ['service_scopes', "insert into service_scopes values ($1 || ':read', $1, 0, 'Read', 'Read all.')"],
      ['service_accounts', 'insert into service_accounts values ($1, $2)', accountId],
      [
        'service_credentials',
        'insert into service_credentials values (gen_random_uuid(), $1, sha256($1::text::bytea), now())',
      ],
    ] as const) {
      expect(await told(insert, ...parameters), table).toEqual(service);
    }
    for (const update of [
      "services set description = 'x' where name = $1",
      'services set deleted_at = now() where name = $1',
      'service_scopes set removed_at = now() where service = $1',
      'service_accounts set account_id = account_id where service = $1',
      'service_credentials set revoked_at = now() where service = $1',
    ]) {
      expect(await told(`update ${update}`), update).toEqual(service);
    }
    for (const table of ['service_scopes', 'service_accounts', 'service_credentials']) {
      expect(await told(`delete from ${table} where service = $1`), table).toEqual(service);
    }
    expect(await told('delete from services where name = $1')).toEqual(service);
  });

  test('in replica mode are notified', async () => {
    const { id } = await givenAccount(store);
    await client.query('set session_replication_role to replica');
    const told = await toldBy('update accounts set suspended_at = now() where id = $1', [id]);
    await client.query('set session_replication_role to origin');
    expect(told).toEqual([{ kind: 'account', id }]);
  });

  test('that are rolled back are not notified', async () => {
    const { id } = await givenAccount(store);
    await client.query('begin');
    const told = await toldBy('update accounts set suspended_at = now() where id = $1', [id]);
    await client.query('rollback');
    await feed.hear();
    expect([...told, ...feed.told]).toEqual([]);
  });

  test('are notified one by one up to a hundred, and as everything beyond', async () => {
    const insert = `
      insert into signing_keys (id, format, state, public_key, sealed_secret, created_at)
      select 'k4.pid.' || lpad(n::text, 44, 'k'), 'paseto', 'staged', decode(repeat('07', 32), 'hex'), 'sealed', now()
      from generate_series($1::int, $2::int) as n`;
    expect(await toldBy(insert, [1, 100])).toHaveLength(100);
    expect(await toldBy(insert, [101, 201])).toEqual([EVERYTHING]);
    const longNames = `
      insert into signing_keys (id, format, state, public_key, sealed_secret, created_at)
      select repeat('x', 3000) || n, 'paseto', 'staged', decode(repeat('07', 32), 'hex'), 'sealed', now()
      from generate_series(1, 2) as n`;
    // Two such names fit into a notification, three do not.
    expect(await toldBy(longNames)).toHaveLength(2);
    expect(await toldBy(longNames.replace('(1, 2)', '(3, 5)'))).toEqual([EVERYTHING]);
  });

  test('of a hundred thousand rows at once, and of a whole table, are notified without their ids', async () => {
    const { id: accountId } = await givenAccount(store);
    const organization = await givenOrganization(store, accountId);
    const user = await givenUser(store, accountId);
    await givenMember(store, organization.id, user.id);
    await givenToken(store, user);
    const insert = `
      insert into organizations (account_id, name, created_at)
      select $1, 'Hall ' || n, now() from generate_series(1, 100000) as n`;
    const any = [{ kind: 'organizations' }];
    expect(await toldBy(insert, [accountId])).toEqual(any);
    const rename = "update organizations set name = name || '!' where account_id = $1";
    expect(await toldBy(rename, [accountId])).toEqual(any);
    expect(await toldBy('truncate memberships')).toEqual([{ kind: 'memberships' }]);
    const ofServices = ['service_scopes', 'service_accounts', 'service_credentials', 'services'];
    const others = ['tokens', 'users', 'signing_keys', 'accounts'];
    for (const table of [...ofServices, ...others]) {
      expect(await toldBy(`truncate ${table} cascade`), table).toContainEqual(EVERYTHING);
    }
  });

  test('of usage are not notified', async () => {
    const token = await givenToken(store, await givenAdmin(store));
    const insert =
      'insert into token_usage (token_id, last_used_at) values ($1, now()) on conflict (token_id) do update set last_used_at = now()';
    expect(await toldBy(insert, [token.id])).toEqual([]);
    expect(
      await toldBy('update token_usage set last_used_at = now() where token_id = $1', [token.id]),
    ).toEqual([]);
    const { name, credentials } = await givenService(store, { credentials: [aCredential()] });
    const [{ id: credentialId }] = credentials;
    const atService = "insert into token_service_uses values ($1, $2, now(), '192.0.2.1')";
    expect(await toldBy(atService, [token.id, name])).toEqual([]);
    const ofCredential = 'insert into service_credential_usage values ($1, now())';
    expect(await toldBy(ofCredential, [credentialId])).toEqual([]);
    // A deleted token is a change although its usage is none.
    expect(await toldBy('delete from tokens where id = $1', [token.id])).toHaveLength(1);
  });
});
