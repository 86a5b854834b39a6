import { ok } from '@gatehouse/domain';
import { anEvent, aRevocation, givenAccount, givenActiveKey, givenUser } from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabaseHandle } from '../../testing/open-test-store.ts';
import { createPostgresRepositories } from '../repositories.ts';

/** More than two batches. */
const TOKENS = 2_345;

describe('a user with very many tokens', () => {
  let opened: TestDatabaseHandle;
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());
  const store = () => createPostgresRepositories(opened.database);

  async function giveMany({ id, accountId }: User, kind: 'api' | 'sign-in') {
    const key = await givenActiveKey(store());
    await sql`
      insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
      select gen_random_uuid(), ${accountId}, ${id}, ${id}, ${kind}, 'Token ' || serial,
        ${key.format}, ${key.id}, '{*}', now()
      from generate_series(1, ${sql.lit(TOKENS)}) as serial`.execute(opened.database.queries);
  }

  async function eventsOf({ accountId }: User, action: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(distinct subject_id) from audit_events
      where account_id = ${accountId} and action = ${action}`.execute(opened.database.queries);
    return rows[0]?.count ?? 0;
  }

  test('transfers all API tokens and revokes all sign-ins, each with its event', async () => {
    const { id: accountId } = await givenAccount(store());
    const from = await givenUser(store(), accountId);
    const to = await givenUser(store(), accountId);
    await giveMany(from, 'api');
    await giveMany(from, 'sign-in');
    const transferTo = to.id;
    const disabled = await store().users.disable(from.id, aRevocation(), anEvent(), { transferTo });
    expect(disabled).toMatchObject(ok({ transferred: TOKENS, revoked: TOKENS }));
    expect(await eventsOf(from, 'token.transferred')).toBe(TOKENS);
    expect(await eventsOf(from, 'token.revoked')).toBe(TOKENS);
    expect(await store().users.disable(to.id, aRevocation(), anEvent())).toMatchObject({
      error: { code: 'last_admin' },
    });
    await givenUser(store(), accountId);
    expect(await store().users.disable(to.id, aRevocation(), anEvent())).toMatchObject(
      ok({ revoked: TOKENS }),
    );
  });
});
