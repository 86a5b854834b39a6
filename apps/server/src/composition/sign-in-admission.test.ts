import { err, ok } from '@gatehouse/domain';
import type { SignInQueue } from '@gatehouse/domain/sign-in';
import { describe, expect, test } from 'vitest';
import { createSignInQueue } from './sign-in-admission.ts';

const NETWORK_BUSY = err({ code: 'hashing_busy', limit: 'network' });
const QUEUE_BUSY = err({ code: 'hashing_busy', limit: 'queue' });
const LIMITS = { concurrency: 1, queued: 8, queuedPerKey: 4, maxWaitMs: 100 };

/** A queue whose tasks last until the test ends them. */
function openQueue() {
  const clock = { now: 0 };
  const queue = createSignInQueue(LIMITS, { elapsedMs: () => clock.now });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const send = (network: string, name = network) =>
    inPlace(queue.enter(network), async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  /** Ends running tasks until none is left. */
  const outcomes = async (sent: readonly Promise<unknown>[]) => {
    while (queue.load().active > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
    return Promise.all(sent);
  };
  return { clock, begun, send, outcomes };
}

/** Does the work of a sign-in in its place, if it gets one. */
async function inPlace<T>(entering: ReturnType<SignInQueue['enter']>, work: () => Promise<T>) {
  const entered = await entering;
  if (!entered.ok) return entered;
  using _ = entered.value;
  return ok(await work());
}

/** fair-queue.test.ts tests the fairness. */
describe('the queue of sign-ins', () => {
  test('refuses a new network when as many others wait as the queue holds, and names the limit', async () => {
    const { send, outcomes } = openQueue();
    const others = Array.from({ length: 1 + 8 }, (_, index) => send(`network ${index}`));
    expect(await send('one more')).toEqual(QUEUE_BUSY);
    expect(await send('network 1')).toEqual(NETWORK_BUSY);
    expect(await outcomes(others)).toEqual(others.map((_, index) => ok(`network ${index}`)));
  });

  test('refuses at its turn a sign-in that waited too long, and runs one that did not', async () => {
    const { clock, send, outcomes, begun } = openQueue();
    const first = send('a', 'first');
    const late = send('a', 'late');
    clock.now = 1;
    const inTime = send('b', 'in time');
    clock.now = 101;
    expect(await outcomes([first, late, inTime])).toEqual([ok('first'), QUEUE_BUSY, ok('in time')]);
    expect(begun).toEqual(['first', 'in time']);
  });
});
