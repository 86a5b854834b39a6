import { UnavailableFault } from '@gatehouse/domain';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createInTime, type InTime } from './in-time.ts';

test('returns a read that arrives in time', async () => {
  const inTime = createInTime(1000);
  expect(await inTime(Promise.resolve(7))).toBe(7);
  await expect(inTime(Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
});

test('a read that does not arrive is a temporary fault', async () => {
  await expect(createInTime(10)(new Promise(() => undefined))).rejects.toBeInstanceOf(UnavailableFault);
});

describe('of many reads, each', () => {
  const LIMIT_MS = 1100;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A read, and what has become of it. */
  function wait(inTime: InTime) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait = { outcome: 'waits', answer: resolve };
    inTime(promise).then(
      () => (wait.outcome = 'answered'),
      () => (wait.outcome = 'given up'),
    );
    return wait;
  }

  test('is given up by its own time, after at least nine tenths of the limit', async () => {
    const inTime = createInTime(LIMIT_MS);
    const first = wait(inTime);
    await vi.advanceTimersByTimeAsync(550);
    const second = wait(inTime);
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 550 + 1);
    expect([first.outcome, second.outcome]).toEqual(['given up', 'waits']);
    await vi.advanceTimersByTimeAsync(0.9 * LIMIT_MS - 551);
    expect(second.outcome).toBe('waits');
    await vi.advanceTimersByTimeAsync(0.1 * LIMIT_MS);
    expect(second.outcome).toBe('given up');
  });

  test('that is answered is removed, and no timer is left after the last', async () => {
    const inTime = createInTime(LIMIT_MS);
    const [answered, late] = [wait(inTime), wait(inTime)];
    answered.answer();
    await vi.advanceTimersByTimeAsync(2 * LIMIT_MS);
    expect([answered.outcome, late.outcome]).toEqual(['answered', 'given up']);
    expect(vi.getTimerCount()).toBe(0);
    const next = wait(inTime);
    await vi.advanceTimersByTimeAsync(2 * LIMIT_MS);
    expect(next.outcome).toBe('given up');
  });
});

test('a read whose answer waits behind a pause of the process is not given up', async () => {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<string>((resolve) => port1.once('message', resolve));
  // From here the event loop comes to its timers before it reads.
  await new Promise(setImmediate);
  const read = createInTime(10)(answer);
  const until = performance.now() + 30;
  while (performance.now() < until);
  port2.postMessage('there');
  await expect(read).resolves.toBe('there');
  port1.close();
});

test('a read that takes several turns of a busy event loop is not given up', async () => {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', (value) => port2.postMessage(value));
  let isBusy = true;
  (function work() {
    const until = performance.now() + 20;
    while (performance.now() < until);
    if (isBusy) setImmediate(work);
  })();
  const exchange = () =>
    new Promise((resolve) => {
      port1.once('message', resolve);
      port1.postMessage('there');
    });
  // Such as getting a connection, and then the statement itself.
  const read = async () => {
    await exchange();
    await exchange();
    return exchange();
  };
  await expect(createInTime(30)(read())).resolves.toBe('there');
  isBusy = false;
  port1.close();
});
