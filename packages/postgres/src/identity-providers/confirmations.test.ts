import {
  A_SETTLEMENT_AUDIT,
  anEvent,
  aSettlement,
  decideFor,
  givenAdmin,
  givenIdentity,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import type { User } from '@gatehouse/domain/users';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-store.ts';

const WITHIN_MS = 5000;

describe('until when a user is confirmed', async () => {
  const { url, store, close } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterAll(async () => {
    await client.end();
    await close();
  });

  async function givenConfirmed() {
    const user = await givenAdmin(store);
    await client.query('update accounts set confirm_within_ms = $1 where id = $2', [
      WITHIN_MS,
      user.accountId,
    ]);
    const { person } = await givenIdentity(store, user);
    return { user, person };
  }
  async function untilOf({ id }: User): Promise<Instant | null> {
    const { rows } = await client.query(
      'select (extract(epoch from confirmed_until) * 1000)::float8 as until from users where id = $1',
      [id],
    );
    return rows[0].until;
  }

  test('is the time of the last sign-in and the time that the account allows', async () => {
    const { user, person } = await givenConfirmed();
    expect(await untilOf(user)).toBe(START + WITHIN_MS);
    const later = aSettlement({ person, at: addMilliseconds(START, 1) });
    await store.identities.settle(later, decideFor(user), A_SETTLEMENT_AUDIT);
    expect(await untilOf(user)).toBe(START + WITHIN_MS + 1);
  });

  test('is no time in an account without the rule, also if it had the rule before', async () => {
    const { user, person } = await givenConfirmed();
    await client.query('update accounts set confirm_within_ms = null where id = $1', [user.accountId]);
    await store.identities.settle(aSettlement({ person }), decideFor(user), A_SETTLEMENT_AUDIT);
    expect(await untilOf(user)).toBeNull();
  });

  const endFor = (user: User, endsConfirmation: boolean) =>
    store.identities.settle(
      aSettlement({ at: addMilliseconds(START, 7) }),
      () => ({ outcome: 'refused', reason: 'no_role', about: user, endsConfirmation }),
      A_SETTLEMENT_AUDIT,
    );

  test('is now if the provider stops giving a role, and only in an account with the rule', async () => {
    const { user } = await givenConfirmed();
    await endFor(user, false);
    expect(await untilOf(user)).toBe(START + WITHIN_MS);
    await endFor(user, true);
    expect(await untilOf(user)).toBe(START + 7);
    const other = await givenAdmin(store);
    await endFor(other, true);
    expect(await untilOf(other)).toBeNull();
  });

  test('stays when the user is unlinked, and ends when the user is marked for emergencies', async () => {
    const { user } = await givenConfirmed();
    const unlinked = () => anEvent({ action: 'user.unlinked' });
    await store.identities.unlink({ userId: user.id, mayLackPassword: false }, unlinked);
    expect(await untilOf(user)).toBe(START + WITHIN_MS);
    await store.breakGlass.mark(user.id, START, { marked: () => anEvent(), unlinked });
    expect(await untilOf(user)).toBeNull();
  });

  test('a sign-in of a user in an account without the rule does not change the row of the user', async () => {
    const user = await givenAdmin(store);
    const { person } = await givenIdentity(store, user);
    const version = async () =>
      (await client.query('select xmin::text from users where id = $1', [user.id])).rows[0].xmin;
    const before = await version();
    await store.identities.settle(aSettlement({ person }), decideFor(user), A_SETTLEMENT_AUDIT);
    expect(await version()).toBe(before);
  });
});
