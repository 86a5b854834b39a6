import { ok } from '@gatehouse/domain';
import type { Change } from '@gatehouse/domain/changes';
import {
  anEvent,
  aRevocation,
  givenActiveKey,
  givenAdmin,
  givenAdmins,
  givenOrganization,
  givenUser,
} from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { aTestDatabase } from '../../testing/open-test-store.ts';

type Opened = Pick<Awaited<ReturnType<typeof aTestDatabase>>, 'database' | 'store'>;

/** More than two batches. */
const TOKENS = 2_345;

/** Gives the user so many API tokens, and as many sign-ins. */
async function givenManyTokens({ database, store }: Opened, user: User, count: number): Promise<void> {
  const key = await givenActiveKey(store);
  await sql`
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
    select gen_random_uuid(), ${user.accountId}, ${user.id}, ${user.id}, kind, 'Token ' || serial,
      ${key.format}, ${key.id}, '{*}', now()
    from generate_series(1, ${sql.lit(count)}) as serial, unnest('{api,sign-in}'::text[]) as kind`.execute(
    database.queries,
  );
}

test('transfers all API tokens of a user with very many and revokes all sign-ins, each with its event', async () => {
  const { database, store } = await aTestDatabase();
  const [from, to] = await givenAdmins(store);
  await givenManyTokens({ database, store }, from, TOKENS);
  const disabled = await store.users.disable(from.id, aRevocation(), anEvent(), { transferTo: to.id });
  expect(disabled).toMatchObject(ok({ transferred: TOKENS, revoked: TOKENS }));
  const { rows } = await sql`
    select action, count(distinct subject_id) from audit_events
    where account_id = ${from.accountId} group by action order by action`.execute(database.queries);
  expect(rows).toEqual([
    { action: 'token.revoked', count: TOKENS },
    { action: 'token.transferred', count: TOKENS },
  ]);
  await givenUser(store, from.accountId);
  expect(await store.users.disable(to.id, aRevocation(), anEvent())).toMatchObject(ok({ revoked: TOKENS }));
});

test('servers are told the id of each token that ends or moves, however many do together', async () => {
  const { url, database, store } = await aTestDatabase();
  const { feed, hear, told } = await openFeed({ listenUrl: url, database });
  onTestFinished(() => feed.close());
  const [from, to] = await givenAdmins(store);
  await givenManyTokens({ database, store }, from, 102);
  await hear();
  told.length = 0;
  await store.users.disable(from.id, aRevocation(), anEvent(), { transferTo: to.id });
  await hear();
  const kinds = (changes: readonly Change[]) => changes.map(({ kind }) => kind);
  expect(new Set(kinds(told))).toEqual(new Set(['token', 'user']));
  expect(kinds(told).filter((kind) => kind === 'token')).toHaveLength(204);
});

test('the deletion of an organization with very many members tells servers of no token', async () => {
  const { url, database, store } = await aTestDatabase();
  const { feed, hear, told } = await openFeed({ listenUrl: url, database });
  onTestFinished(() => feed.close());
  const { accountId } = await givenAdmin(store);
  const { id } = await givenOrganization(store, accountId);
  await sql`
    with crowd as (
      insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      select account_id, n || '@crowd.example', n || '@crowd.example', 'Member', 'member', password_hash, created_at
      from users, generate_series(1, 101) as n where account_id = ${accountId}
      returning id)
    insert into memberships select ${id}, id, ${accountId}, now() from crowd`.execute(database.queries);
  await hear();
  told.length = 0;
  await store.organizations.delete(id, () => anEvent());
  await hear();
  expect(told.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
    { kind: 'memberships' },
    { kind: 'organization', id },
  ]);
});
