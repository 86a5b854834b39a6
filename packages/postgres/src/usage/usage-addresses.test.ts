import { aTokenId, START } from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant, LAST_INSTANT } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openUsedTokens } from '../../testing/open-used-tokens.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

async function open(count = 1) {
  const { database, store, ids, reports, openRecorder } = await openUsedTokens(count);
  const [id = aTokenId()] = ids;
  const usedFrom = async (of: TokenId = id) => (await store.tokens.findUsage(of)).usedFrom;
  const rows = async () => {
    const found = await sql<{ rows: number }>`select count(*) as rows from token_addresses`.execute(
      database.queries,
    );
    return found.rows[0]?.rows;
  };
  return { database, store, recorder: openRecorder(), openRecorder, id, ids, usedFrom, rows, reports };
}

test('an IPv6 network is one address, over all recorders, and IPv4 written as IPv6 is IPv4', async () => {
  const { openRecorder, id, usedFrom } = await open();
  const texts = ['2001:db8::1', '2001:DB8::2', '2001:db8:0:0:9::9', '::ffff:10.0.0.1', '10.0.0.1'];
  for (const [index, text] of texts.entries()) {
    const recorder = openRecorder();
    recorder.used(id, at(index), text);
    await recorder.flush();
  }
  expect(await usedFrom()).toEqual([
    { address: '10.0.0.1', firstAt: at(3), lastAt: at(4), times: 2 },
    { address: '2001:db8::/64', firstAt: at(0), lastAt: at(2), times: 3 },
  ]);
});

test('a flood from many addresses leaves one row with five', async () => {
  const { recorder, id, usedFrom, rows } = await open();
  for (let round = 0; round < 20; round += 1) {
    for (let host = 0; host < 5000; host += 1) {
      recorder.used(id, at(round), `10.${round}.${host >> 8}.${host & 255}`);
      recorder.refused(id, at(round), 'expired', `10.${round}.${host >> 8}.${host & 255}`);
    }
    await recorder.flush();
  }
  expect([(await usedFrom()).length, await rows()]).toEqual([5, 1]);
});

test('text that is not an address is not stored, and hinders nothing', async () => {
  const { recorder, id, usedFrom, store } = await open();
  recorder.used(id, at(1), "'; drop table tokens; \u0000");
  await recorder.flush();
  expect(await usedFrom()).toEqual([]);
  expect((await store.tokens.find(id))?.usage.lastUsedAt).toBe(at(1));
});

test('nodes that record the same tokens and a server that forgets do not block each other', async () => {
  const { openRecorder, store, ids, usedFrom, reports } = await open(40);
  const [one, other] = [openRecorder(), openRecorder()];
  for (let round = 0; round < 30; round += 2) {
    for (const id of ids) one.used(id, at(round), '10.0.0.1');
    for (const id of ids.toReversed()) other.used(id, at(round + 1), '10.0.0.2');
    const forgotten = store.tokens.forgetAddresses({ before: LAST_INSTANT, limit: 20 });
    await Promise.all([one.flush(), forgotten, other.flush()]);
  }
  expect(reports).toEqual([]);
  for (const id of ids) one.used(id, at(99), '10.0.0.3');
  await one.flush();
  for (const id of ids) expect((await usedFrom(id))[0]?.address).toBe('10.0.0.3');
});

test('addresses are deleted with their token', async () => {
  const { database, recorder, id, rows } = await open();
  recorder.used(id, at(1), '10.0.0.1');
  await recorder.flush();
  expect(await rows()).toBe(1);
  await database.queries.deleteFrom('tokens').where('id', '=', id).execute();
  expect(await rows()).toBe(0);
});

test('addresses that could not be stored are stored later', async () => {
  const { database, recorder, id, usedFrom } = await open();
  await sql`alter table token_addresses rename to away`.execute(database.queries);
  recorder.used(id, at(1), '10.0.0.1');
  await expect(recorder.flush()).rejects.toThrow();
  recorder.used(id, at(2), '10.0.0.1');
  recorder.used(id, at(3), '10.0.0.2');
  await sql`alter table away rename to token_addresses`.execute(database.queries);
  await recorder.flush();
  expect(await usedFrom()).toEqual([
    { address: '10.0.0.2', firstAt: at(3), lastAt: at(3), times: 1 },
    { address: '10.0.0.1', firstAt: at(1), lastAt: at(2), times: 2 },
  ]);
});
