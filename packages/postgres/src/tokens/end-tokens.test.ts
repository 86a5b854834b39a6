import { ok } from '@gatehouse/domain';
import { anEvent, aRevocation, givenActiveKey, givenAdmins, givenUser } from '@gatehouse/domain/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase } from '../../testing/open-test-store.ts';

/** More than two batches. */
const TOKENS = 2_345;

test('transfers all API tokens of a user with very many and revokes all sign-ins, each with its event', async () => {
  const { database, store } = await aTestDatabase();
  const [from, to] = await givenAdmins(store);
  const key = await givenActiveKey(store);
  await sql`
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
    select gen_random_uuid(), ${from.accountId}, ${from.id}, ${from.id}, kind, 'Token ' || serial,
      ${key.format}, ${key.id}, '{*}', now()
    from generate_series(1, ${sql.lit(TOKENS)}) as serial, unnest('{api,sign-in}'::text[]) as kind`.execute(
    database.queries,
  );
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
