import { expect, test } from 'vitest';
import { createCoalescedReads } from './coalesced-reads.ts';

/** Reads that end when the test says so, each with its number. */
function openReads() {
  const coalesced = createCoalescedReads<string, number>();
  const begun: PromiseWithResolvers<number>[] = [];
  const read = () => {
    const reading = Promise.withResolvers<number>();
    begun.push(reading);
    return reading.promise;
  };
  return {
    begun,
    ask: (key = 'keys') => coalesced(key, read),
    end: (number: number) => begun[number]?.resolve(number),
    fail: (number: number) => begun[number]?.reject(new Error(`read ${number} failed`)),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('any number of calls share one read in flight and one that waits', async () => {
  const { begun, ask, end } = openReads();
  const first = ask();
  const others = Array.from({ length: 1000 }, () => ask());
  await settled();
  expect(begun).toHaveLength(1);
  end(0);
  expect(await first).toBe(0);
  await settled();
  expect(begun).toHaveLength(2);
  end(1);
  expect(new Set(await Promise.all(others))).toEqual(new Set([1]));
});

test('a call never gets the result of a read that began before it', async () => {
  const { begun, ask, end } = openReads();
  void ask();
  const second = ask();
  end(0);
  await settled();
  // The second read has begun, so this call waits for a third.
  const third = ask();
  end(1);
  expect(await second).toBe(1);
  await settled();
  expect(begun).toHaveLength(3);
  end(2);
  expect(await third).toBe(2);
});

test('a call between the end of a read and the beginning of the next joins the next', async () => {
  const { begun, ask, end } = openReads();
  const late = ask().then(() => ask());
  const waiting = ask();
  end(0);
  await settled();
  expect(begun).toHaveLength(2);
  end(1);
  expect(await Promise.all([waiting, late])).toEqual([1, 1]);
});

test('a failed read rejects its callers, and the next read still begins', async () => {
  const { ask, end, fail } = openReads();
  const [first, second] = [ask(), ask()];
  fail(0);
  await expect(first).rejects.toThrow('read 0 failed');
  await settled();
  end(1);
  expect(await second).toBe(1);
});

test('a read that throws at once does not block the next one', async () => {
  const coalesced = createCoalescedReads<string, number>();
  const thrown = coalesced('keys', () => {
    throw new Error('at once');
  });
  await expect(thrown).rejects.toThrow('at once');
  expect(await coalesced('keys', async () => 1)).toBe(1);
});

test('reads of different keys do not wait for each other', async () => {
  const { begun, ask, end } = openReads();
  const [one, other] = [ask('one'), ask('other')];
  expect(begun).toHaveLength(2);
  end(1);
  expect(await other).toBe(1);
  end(0);
  expect(await one).toBe(0);
});
