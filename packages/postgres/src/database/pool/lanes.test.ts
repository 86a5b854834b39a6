import { UnavailableFault } from '@gatehouse/domain';
import type { ServiceName } from '@gatehouse/domain/services';
import type { UserId } from '@gatehouse/domain/users';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { describe, expect, test } from 'vitest';
import { onBehalf, onPageOf } from './askers.ts';
import { createLanePool, createLanes } from './lanes.ts';
import { createSharedReads } from './shared-reads.ts';

type As = <T>(work: () => T) => T;

const ofUser =
  (id: number): As =>
  (work) =>
    onBehalf.ofUser(id as UserId, work);
const ofService =
  (id: number): As =>
  (work) =>
    onBehalf.ofService(`service-${id}` as ServiceName, work);
const ofRefresh =
  (id: number): As =>
  (work) =>
    onBehalf.ofRefresh(`service-${id}` as ServiceName, work);
const onPage =
  (id: number): As =>
  (work) =>
    onPageOf(id as UserId, work);
const ofClient =
  (address: string): As =>
  (work) =>
    onBehalf.ofClient(address, work);
const [ADA, BEN] = [ofUser(1), ofUser(2)];
const forever = <T>(read: Promise<T>) => read;
/** Longer than any test, in milliseconds. */
const PATIENT = { pageMs: 1_000_000_000, extensionMs: 1_000_000_000 };
const settled = () => new Promise(setImmediate);

// A lane calls nothing else of a client.
const CLIENT = { query: async () => undefined, release: () => undefined } as unknown as PostgresPoolClient;
// A lane calls nothing else of a pool.
const POOL = { connect: async () => CLIENT } as unknown as PostgresPool;

/** Statements that last until the test ends them. */
function openLanes(poolSize: number, inTime = forever) {
  const lanes = createLanes(poolSize, { inTime, ...PATIENT });
  const pool = createLanePool(POOL, lanes);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const last = () => new Promise<void>((resolve) => ends.push(resolve));
  const read = (as: As, name: string) =>
    as(async () => {
      const client = await pool.connect();
      begun.push(name);
      await last();
      client.release();
      return name;
    });
  const readShared = createSharedReads(
    lanes,
    inTime,
  )({
    kind: 'token records',
    async readAll(names: readonly string[]) {
      begun.push(...names);
      await last();
      return names;
    },
  });
  const share = (as: As, name: string) => as(() => readShared(name));
  const endNext = async () => {
    ends.shift()?.();
    await settled();
    await settled();
  };
  return { lanes, pool, begun, read, share, endNext };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  [10, 9],
  [2, 1],
  [1, 1],
])(
  'of a pool of %i connections, one user reads on %i at once while no other waits',
  async (poolSize, atOnce) => {
    const { lanes, begun, read } = openLanes(poolSize);
    for (const index of many(20)) void read(ADA, `${index}`);
    await settled();
    expect([begun.length, lanes.waiting()]).toEqual([atOnce, 20 - atOnce]);
  },
);

test.each([
  [10, 3, 2],
  [2, 1, 1],
])('of %i connections, pages use %i, and those of one user %i', async (poolSize, used, usedByOne) => {
  const { begun, read } = openLanes(poolSize);
  for (const index of many(20)) void read(onPage(1), `a${index}`);
  await settled();
  expect(begun.length).toBe(usedByOne);
  for (const index of many(20)) void read(onPage(2), `b${index}`);
  await settled();
  expect(begun.length).toBe(used);
});

test.each([
  ['reads', ofUser],
  ['pages', onPage],
  ['introspections', ofService],
  ['refreshes', ofRefresh],
])('the next connection is another user’s or service’s, however many %s of one wait', async (_, user) => {
  const { begun, read, endNext } = openLanes(2);
  for (const index of many(3)) void read(user(1), `a${index}`);
  const other = read(user(2), 'b0');
  await settled();
  await endNext();
  await endNext();
  expect(begun).toEqual(['a0', 'a1', 'b0']);
  await endNext();
  expect(await other).toBe('b0');
});

test('a service takes turns like one user, however many introspections it waits for', async () => {
  const { begun, read, endNext } = openLanes(2);
  for (const index of many(3)) void read(ofService(1), `s${index}`);
  const other = read(ADA, 'a0');
  await settled();
  await endNext();
  await endNext();
  expect(begun).toEqual(['s0', 's1', 'a0']);
  await endNext();
  expect(await other).toBe('a0');
});

test('unknown clients of any number of networks take no more turns than one user, and a third of the connections', async () => {
  const { lanes, begun, read, endNext } = openLanes(10);
  for (const index of many(100)) void read(ofClient(`10.0.0.${index}`), `n${index}`);
  await settled();
  expect([begun, lanes.waiting()]).toEqual([['n0', 'n1', 'n2'], 97]);
  for (const index of many(100)) void read(ADA, `a${index}`);
  await settled();
  expect(begun.slice(3)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
  for (const _ of many(20)) await endNext();
  expect(begun.slice(9).filter((name) => name.startsWith('a')).length).toBeGreaterThanOrEqual(10);
});

test('refreshes of any number of services take no more turns than one user, and a third of the connections', async () => {
  const { lanes, begun, read, endNext } = openLanes(10);
  for (const index of many(100)) void read(ofRefresh(index), `r${index}`);
  await settled();
  expect([begun, lanes.waiting()]).toEqual([['r0', 'r1', 'r2'], 97]);
  for (const index of many(100)) void read(ofService(1), `s${index}`);
  await settled();
  expect(begun.slice(3)).toEqual(['s0', 's1', 's2', 's3', 's4', 's5']);
  for (const _ of many(20)) await endNext();
  expect(begun.slice(9).filter((name) => name.startsWith('s')).length).toBeGreaterThanOrEqual(10);
});

test('unknown clients take turns by network', async () => {
  const { begun, read, endNext } = openLanes(2);
  for (const index of many(3)) void read(ofClient(`2001:db8::${index}`), `a${index}`);
  void read(ofClient('10.0.0.2'), 'b0');
  await settled();
  await endNext();
  await endNext();
  expect(begun).toEqual(['a0', 'a1', 'b0']);
});

test('a queued read whose request gave up is not made, and an active one keeps its place', async () => {
  const givesUp = Promise.withResolvers<never>();
  const { lanes, begun, read, endNext } = openLanes(2, (reading) => Promise.race([reading, givesUp.promise]));
  void read(ADA, 'under way');
  const waiting = [read(ADA, 'waiting'), read(BEN, 'waiting, too')];
  givesUp.reject(new UnavailableFault('too late'));
  for (const each of waiting) await expect(each).rejects.toThrow('too late');
  expect([begun, lanes.waiting()]).toEqual([['under way'], 2]);
  await endNext();
  expect([begun, lanes.waiting()]).toEqual([['under way'], 0]);
});

test.each([
  ['reads', ofUser, 1_024],
  ['pages', onPage, 64],
])('%s of one user beyond the limit fail at once, and another user’s do not', async (name, user, limit) => {
  const { lanes, begun, read, endNext } = openLanes(2);
  for (const index of many(1 + limit)) void read(user(1), `a${index}`);
  await settled();
  await expect(read(user(1), 'one more')).rejects.toThrow(`too many ${name} of one user`);
  expect(lanes.waiting()).toBe(limit);
  void read(user(2), 'b0');
  await settled();
  await endNext();
  await endNext();
  expect(begun.at(-1)).toBe('b0');
});

test('the lanes of pages and of the API do not wait for each other, nor statements of no one for either', async () => {
  const { pool, begun, read } = openLanes(2);
  void read(ADA, 'api');
  void read(onPage(1), 'page');
  await settled();
  expect(begun).toEqual(['api', 'page']);
  await pool.connect();
});

test('a place is free again when no connection can be had', async () => {
  const lanes = createLanes(2, { inTime: forever, ...PATIENT });
  const connect = () => Promise.reject(new UnavailableFault('away'));
  const pool = createLanePool({ ...POOL, connect } as PostgresPool, lanes);
  for (const _ of many(3)) await expect(ADA(() => pool.connect())).rejects.toThrow('away');
});

describe('reads that share statements', () => {
  test.each([
    [10, 72],
    [2, 8],
    [1, 8],
  ])(
    'of a pool of %i connections: one user has %i under way while no other waits',
    async (poolSize, atOnce) => {
      const { lanes, begun, share } = openLanes(poolSize);
      for (const index of many(80)) void share(ADA, `${index}`);
      await settled();
      await settled();
      expect([begun.length, lanes.waiting()]).toEqual([atOnce, 80 - atOnce]);
    },
  );

  test('take turns by user', async () => {
    const { begun, share, endNext } = openLanes(1);
    for (const index of many(20)) void share(ADA, `a${index}`);
    void share(BEN, 'b0');
    await settled();
    await endNext();
    await endNext();
    expect(begun.slice(8, 10)).toEqual(['a8', 'b0']);
  });

  test('are not made if their requests gave up before', async () => {
    const givesUp = Promise.withResolvers<never>();
    const { begun, share, endNext } = openLanes(1, (reading) => Promise.race([reading, givesUp.promise]));
    const given = many(9).map((index) => share(ADA, `a${index}`));
    await settled();
    givesUp.reject(new UnavailableFault('too late'));
    for (const each of given) await expect(each).rejects.toThrow('too late');
    await endNext();
    await endNext();
    expect(begun.length).toBe(8);
  });

  test('have a connection for each statement, by turns with the reads that share none', async () => {
    const { begun, share, read, endNext } = openLanes(2);
    for (const index of many(3)) void read(ADA, `a${index}`);
    void share(BEN, 'records');
    await settled();
    await settled();
    expect(begun).toEqual(['a0']);
    for (const _ of many(3)) await endNext();
    expect(begun).toEqual(['a0', 'a1', 'records', 'a2']);
  });
});
