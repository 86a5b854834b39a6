import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFairQueue, type FairQueueLimits, type NoPlaceInQueue } from './fair-queue.ts';

const ok = (value: unknown) => ({ ok: true, value });
const noPlace = (error: NoPlaceInQueue) => ({ ok: false, error });
const NO_PLACE_FOR_KEY = noPlace('key');
const NO_PLACE = noPlace('queue');
const LIMITS = { concurrency: 1, queued: 8, queuedPerKey: 4 };

/** A queue whose tasks last until the test ends them. */
function openQueue(limits: Partial<FairQueueLimits> = {}) {
  const queue = createFairQueue<string>({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let most = 0;
  const send = (key: string, name = key, isWanted = () => true) => queue.run(key, work(name), { isWanted });
  const work = (name: string) => async () => {
    begun.push(name);
    most = Math.max(most, queue.load().active);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  const sendMany = (key: string, count: number) =>
    Array.from({ length: count }, (_, index) => send(key, `${key}${index}`));
  /** Ends running tasks until none is left. */
  const finish = async () => {
    while (queue.load().active > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
  };
  const outcomes = async (sent: readonly Promise<unknown>[]) => {
    await finish();
    return Promise.all(sent);
  };
  return { queue, begun, send, sendMany, finish, outcomes, most: () => most };
}

const refused = (outcomes: readonly unknown[]) =>
  outcomes.filter((outcome) => (outcome as { ok: boolean }).ok === false).length;

describe('a fair queue', () => {
  test.each([1, 3])(
    'has at most %i at work at once, and begins the others in their order',
    async (concurrency) => {
      const { sendMany, outcomes, begun, most } = openQueue({ concurrency });
      const sent = sendMany('a', concurrency + 4);
      const names = sent.map((_, index) => `a${index}`);
      expect(await outcomes(sent)).toEqual(names.map(ok));
      expect(begun).toEqual(names);
      expect(most()).toBe(concurrency);
    },
  );

  test('has at most so many tasks of one key at work at once, and the rest of its places are for other keys', async () => {
    const { sendMany, outcomes, begun, queue } = openQueue({ concurrency: 3, concurrencyPerKey: 2 });
    const a = sendMany('a', 5);
    expect(begun).toEqual(['a0', 'a1']);
    expect(queue.runNow('a', () => Promise.reject(new Error('must not begin')))).toBeUndefined();
    const b = sendMany('b', 3);
    expect(begun).toEqual(['a0', 'a1', 'b0']);
    expect(refused(await outcomes([...a, ...b]))).toBe(0);
    expect(begun.length).toBe(8);
    const again = sendMany('a', 3);
    expect(begun.slice(8)).toEqual(['a0', 'a1']);
    await outcomes(again);
  });

  test('holds at most its share of a key and refuses further tasks at once', async () => {
    const { queue, sendMany, outcomes } = openQueue();
    const sent = sendMany('a', 1 + 4);
    expect(queue.load()).toEqual({ active: 1, waiting: 4 });
    for (const more of sendMany('a', 3)) expect(await more).toEqual(NO_PLACE_FOR_KEY);
    expect(queue.load()).toEqual({ active: 1, waiting: 4 });
    expect(refused(await outcomes(sent))).toBe(0);
    expect(queue.load()).toEqual({ active: 0, waiting: 0 });
  });

  test('has room for another key, however much one key sends', async () => {
    const { send, sendMany, outcomes } = openQueue();
    const flood = sendMany('a', 500);
    expect(await outcomes([send('b')])).toEqual([ok('b')]);
    expect(refused(await Promise.all(flood))).toBe(500 - 5);
  });

  test('lets keys take turns: a single task does not wait for all tasks of another key', async () => {
    const { send, sendMany, begun, outcomes } = openQueue();
    await outcomes([...sendMany('a', 5), ...sendMany('b', 2), send('c')]);
    expect(begun).toEqual(['a0', 'a1', 'b0', 'c', 'a2', 'b1', 'a3', 'a4']);
  });

  test('when full, refuses the newest task of the key with the most in favour of a key with fewer', async () => {
    const { queue, send, sendMany, begun, outcomes } = openQueue();
    const [a, b] = [sendMany('a', 1 + 4), sendMany('b', 4)];
    const c = sendMany('c', 2);
    expect(queue.load()).toEqual({ active: 1, waiting: 8 });
    expect(await a[4]).toEqual(NO_PLACE_FOR_KEY);
    expect(await b[3]).toEqual(NO_PLACE_FOR_KEY);
    // Now its key would be one of those with the most tasks.
    expect(await send('c', 'c2')).toEqual(NO_PLACE_FOR_KEY);
    expect(refused(await outcomes([...a, ...b, ...c]))).toBe(2);
    expect(begun).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  test('has room for one task of every key while fewer keys wait than the queue holds', async () => {
    const { queue, send, sendMany, outcomes } = openQueue();
    const floods = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((key) => sendMany(key, 100));
    const one = send('elsewhere');
    expect(queue.load().waiting).toBe(8);
    expect(await outcomes([one])).toEqual([ok('elsewhere')]);
    await Promise.all(floods);
  });

  test('refuses a new key when as many others wait as the queue holds, and names the limit', async () => {
    const { send, outcomes } = openQueue();
    const others = Array.from({ length: 1 + 8 }, (_, index) => send(`key ${index}`));
    expect(await send('one more')).toEqual(NO_PLACE);
    expect(await send('key 1')).toEqual(NO_PLACE_FOR_KEY);
    expect(refused(await outcomes(others))).toBe(0);
  });

  test('refuses a task that is no longer wanted at its turn, without running it', async () => {
    const { send, outcomes, begun } = openQueue();
    const sent = [send('a', 'first'), send('a', 'given up', () => false), send('b', 'wanted')];
    expect(await outcomes(sent)).toEqual([ok('first'), noPlace('time'), ok('wanted')]);
    expect(begun).toEqual(['first', 'wanted']);
  });

  test('runs a task at once if there is room, returns its own promise, and otherwise changes nothing', async () => {
    const { queue, send, outcomes, begun } = openQueue({ concurrency: 2 });
    const { promise, resolve } = Promise.withResolvers<string>();
    expect(queue.runNow('a', () => promise)).toBe(promise);
    const sent = [send('a'), send('b')];
    expect(queue.runNow('a', () => Promise.reject(new Error('must not begin')))).toBeUndefined();
    expect(queue.load()).toEqual({ active: 2, waiting: 1 });
    resolve('');
    await promise;
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b']);
    await outcomes(sent);
    expect(queue.load()).toEqual({ active: 0, waiting: 0 });
  });

  test('continues after a task that throws synchronously', async () => {
    const { queue, send, outcomes } = openQueue();
    const failing = () => {
      throw new Error('broken');
    };
    await expect(queue.runNow('a', failing)).rejects.toThrow('broken');
    await expect(queue.run('a', failing)).rejects.toThrow('broken');
    const [first, waits] = [send('a'), queue.run('a', failing)];
    expect(await Promise.allSettled([outcomes([first]), waits])).toMatchObject([
      { value: [ok('a')] },
      { reason: { message: 'broken' } },
    ]);
    expect(queue.load()).toEqual({ active: 0, waiting: 0 });
  });

  test('continues after a failed task and passes its error on', async () => {
    const { queue, send, outcomes } = openQueue();
    const failing = () => queue.run('a', () => Promise.reject(new Error('broken')));
    const failures = await Promise.allSettled([failing(), failing(), failing()]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await outcomes([send('a')])).toEqual([ok('a')]);
    expect(queue.load()).toEqual({ active: 0, waiting: 0 });
  });

  test('refuses a task that has waited as long as it may, without running it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const queue = createFairQueue<string>(LIMITS);
    expect(queue.enterNow('a')).toBe(true);
    const late = queue.run('a', () => Promise.reject(new Error('must not begin')), { waitMs: 100 });
    const patient = queue.enter('b', { waitMs: 200 });
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toEqual(noPlace('time'));
    expect(queue.load()).toEqual({ active: 1, waiting: 1 });
    queue.leave('a');
    expect(await patient).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    expect(queue.load()).toEqual({ active: 1, waiting: 0 });
  });
});
