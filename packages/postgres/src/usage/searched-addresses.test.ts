import { aTokenId, givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds, LAST_INSTANT } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openUsedTokens } from '../../testing/open-used-tokens.ts';
import { steps } from '../migrations/0011-searched-addresses.ts';

const at = (second: number) => addMilliseconds(START, 1000 * second);

async function open(count: number) {
  const { database, store, user, ids, reports, openRecorder } = await openUsedTokens(count);
  const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(database.queries)).rows;
  return {
    database,
    store,
    user,
    ids,
    reports,
    openRecorder,
    searched: () => rowsOf(sql`select token_id, address, account_id from searched_addresses order by 1, 2`),
    /** Returns the rows that follow from the addresses of tokens. */
    kept: () =>
      rowsOf(sql`select distinct token_id, seen ->> 'address' as address, account_id
        from token_addresses join tokens on tokens.id = token_id and kind = 'api',
          jsonb_array_elements(used || refused) as seen order by 1, 2`),
  };
}

test('are those of the tokens, whatever recorders, forgetting and deletions do at once', async () => {
  const { database, openRecorder, store, ids, reports, searched, kept } = await open(40);
  const [one, other] = [openRecorder(), openRecorder()];
  let most = 0;
  for (let round = 0; round < 30; round += 1) {
    for (const [index, id] of ids.entries()) {
      one.used(id, at(round), `10.0.0.${(round * index) % 7}`);
      one.refused(id, at(round), 'expired', `10.0.0.${(round + index) % 9}`);
    }
    for (const id of ids.toReversed()) other.used(id, at(round), `10.0.1.${round % 8}`);
    const forgotten =
      round % 5 === 4
        ? store.tokens.forgetAddresses({ before: LAST_INSTANT, limit: 20 })
        : database.queries
            .deleteFrom('tokens')
            .where('id', '=', ids[round] ?? aTokenId())
            .execute();
    await Promise.all([one.flush(), forgotten, other.flush()]);
    const found = await searched();
    expect(found).toEqual(await kept());
    most = Math.max(most, found.length);
  }
  expect(reports).toEqual([]);
  expect(most).toBeGreaterThan(ids.length);
});

test('are not written while a token is used from the addresses of before', async () => {
  const { database, openRecorder, ids, searched } = await open(1);
  const [id = aTokenId()] = ids;
  const recorder = openRecorder();
  const use = async (second: number, address: string) => {
    recorder.used(id, at(second), address);
    await recorder.flush();
  };
  await use(1, '10.0.0.1');
  await use(2, '10.0.0.2');
  const before = await searched();
  await sql`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''written''; end';
    create trigger refuse before insert or delete on searched_addresses
      for each statement execute function refuse()`.execute(database.queries);
  for (let second = 3; second < 9; second += 1) await use(second, `10.0.0.${1 + (second % 2)}`);
  expect(await searched()).toEqual(before);
  await expect(use(10, '10.0.0.3')).rejects.toThrow('written');
});

test('of sign-in tokens are not there', async () => {
  const { store, user, openRecorder, searched } = await open(0);
  const { id } = await givenToken(store, user, { kind: 'sign-in', expiresAt: at(1000) });
  const recorder = openRecorder();
  recorder.used(id, at(1), '10.0.0.1');
  await recorder.flush();
  expect((await store.tokens.findUsage(id)).usedFrom).toHaveLength(1);
  expect(await searched()).toEqual([]);
});

test('of tokens that were used before the migration are there after it', async () => {
  const { database, openRecorder, ids, searched, kept } = await open(5);
  const recorder = openRecorder();
  for (const [index, id] of ids.entries()) recorder.used(id, at(index), `10.0.0.${index}`);
  await recorder.flush();
  await sql`delete from searched_addresses`.execute(database.queries);
  for (const step of steps) {
    let position: string | undefined;
    do {
      position = await database.queries.transaction().execute((transaction) => step(transaction, position));
    } while (position !== undefined);
  }
  expect(await searched()).toHaveLength(5);
  expect(await searched()).toEqual(await kept());
});
