import { UnavailableFault } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';
import { describe, expect, test } from 'vitest';
import { createFairReads, type Turn, type UserTurn } from './fair-reads.ts';

const [ADA, BEN] = [1 as UserId, 2 as UserId];
const forever = <T>(read: Promise<T>) => read;

/** Reads that last until the test ends them. */
function openReads(poolSize: number, inTime = forever) {
  const reads = createFairReads(poolSize, inTime);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const lasting = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  const read = (turn: Turn, name: string) => reads.turns.inTurn(turn, lasting(name));
  const share = (turn: UserTurn, name: string) => reads.turns.sharingInTurn(turn, lasting(name));
  const endNext = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { reads, begun, lasting, read, share, endNext };
}

test.each([
  [10, 9],
  [2, 1],
  [1, 1],
])('of a pool of %i connections, one user reads on %i at once while no other waits', (poolSize, atOnce) => {
  const { reads, begun, read } = openReads(poolSize);
  for (let index = 0; index < poolSize; index += 1) void read(ADA, `${index}`);
  expect(begun.length).toBe(atOnce);
  expect(reads.waiting()).toBe(poolSize - atOnce);
});

test('the next connection is another user’s, however many reads of one wait', async () => {
  const { begun, read, endNext } = openReads(2);
  for (const name of ['a0', 'a1', 'a2']) void read(ADA, name);
  const other = read(BEN, 'b0');
  await endNext();
  await endNext();
  expect(begun).toEqual(['a0', 'a1', 'b0']);
  await endNext();
  expect(await other).toBe('b0');
});

test('unknown clients of any number of networks take no more turns than one user, and a third of the connections', async () => {
  const { reads, begun, read, endNext } = openReads(10);
  for (let index = 0; index < 100; index += 1) void read(`network 10.0.0.${index}/32`, `n${index}`);
  expect([begun, reads.waiting()]).toEqual([['n0', 'n1', 'n2'], 97]);
  for (let index = 0; index < 100; index += 1) void read(ADA, `a${index}`);
  expect(begun.slice(3)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
  for (let count = 0; count < 20; count += 1) await endNext();
  expect(begun.slice(9).filter((name) => name.startsWith('a')).length).toBeGreaterThanOrEqual(10);
});

test('unknown clients take turns by network', async () => {
  const { begun, read, endNext } = openReads(2);
  for (const name of ['a0', 'a1', 'a2']) void read('network 10.0.0.1/32', name);
  const other = read('network 10.0.0.2/32', 'b0');
  await endNext();
  await endNext();
  expect(begun).toEqual(['a0', 'a1', 'b0']);
  await endNext();
  expect(await other).toBe('b0');
});

test('a queued read whose request gave up is not made, and an active one keeps its turn', async () => {
  const givesUp = Promise.withResolvers<never>();
  const { reads, begun, read, endNext } = openReads(2, (reading) => Promise.race([reading, givesUp.promise]));
  const given = [read(ADA, 'under way'), read(ADA, 'waiting'), read(BEN, 'waiting, too')];
  givesUp.reject(new UnavailableFault('too late'));
  for (const each of given) await expect(each).rejects.toThrow('too late');
  expect([begun, reads.waiting()]).toEqual([['under way'], 2]);
  await endNext();
  expect([begun, reads.waiting()]).toEqual([['under way'], 0]);
});

test('reads of one user beyond the limit fail at once, and another user’s do not', async () => {
  const { reads, begun, read, endNext } = openReads(2);
  for (let index = 0; index < 1 + 1_024; index += 1) void read(ADA, `a${index}`);
  await expect(read(ADA, 'one more')).rejects.toThrow(UnavailableFault);
  expect(reads.waiting()).toBe(1_024);
  void read(BEN, 'b0');
  await endNext();
  await endNext();
  expect(begun.at(-1)).toBe('b0');
});

test('a failed read fails its request, and frees its turn', async () => {
  const { reads, begun, read } = openReads(2);
  const failing = () => reads.turns.inTurn(ADA, () => Promise.reject(new Error('broken')));
  const failures = await Promise.allSettled([failing(), failing()]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  void read(BEN, 'b0');
  expect(begun).toEqual(['b0']);
});

describe('reads that share statements', () => {
  test.each([
    [10, 72],
    [2, 8],
    [1, 8],
  ])('of a pool of %i connections: one user has %i under way while no other waits', (poolSize, atOnce) => {
    const { reads, begun, share } = openReads(poolSize);
    for (let index = 0; index < 80; index += 1) void share(ADA, `${index}`);
    expect([begun.length, reads.waiting()]).toEqual([atOnce, 80 - atOnce]);
  });

  test('take turns by user', async () => {
    const { begun, share, endNext } = openReads(1);
    for (let index = 0; index < 20; index += 1) void share(ADA, `a${index}`);
    void share(BEN, 'b0');
    await endNext();
    await endNext();
    expect(begun.slice(8)).toEqual(['a8', 'b0']);
  });

  test('are not made if their requests gave up before', async () => {
    const givesUp = Promise.withResolvers<never>();
    const { begun, share, endNext } = openReads(1, (reading) => Promise.race([reading, givesUp.promise]));
    const given = Array.from({ length: 9 }, (_, index) => share(ADA, `a${index}`));
    givesUp.reject(new UnavailableFault('too late'));
    for (const each of given) await expect(each).rejects.toThrow('too late');
    await endNext();
    expect(begun.length).toBe(8);
  });

  test('have a connection for each statement, by turns with the reads that share none', async () => {
    const { reads, begun, lasting, read, endNext } = openReads(2);
    void read(ADA, 'a0');
    for (const name of ['a1', 'a2']) void read(ADA, name);
    const shared = reads.turns.share('token records', async () => void (await lasting('records')()));
    expect(begun).toEqual(['a0']);
    for (let count = 0; count < 3; count += 1) await endNext();
    await shared;
    expect(begun).toEqual(['a0', 'a1', 'records', 'a2']);
  });
});
