import { describe, expect, test } from 'vitest';
import { err, ok } from '../result.ts';
import { createSignInQueue } from './sign-in-queue.ts';

const NETWORK_BUSY = err({ code: 'hashing_busy', limit: 'network' });
const QUEUE_BUSY = err({ code: 'hashing_busy', limit: 'queue' });
const LIMITS = { concurrency: 1, queued: 8, queuedPerNetwork: 4, patienceMs: 100 };

/** A queue whose work lasts until the test ends it. */
function openQueue() {
  const clock = { now: 0 };
  const queue = createSignInQueue(LIMITS, { elapsedMs: () => clock.now });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const send = (network: string, name = network) =>
    queue(network, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const sendMany = (network: string, count: number) =>
    Array.from({ length: count }, (_, index) => send(network, `${network}${index}`));
  /** Ends what is at work, again and again until nothing is left. */
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
  return { clock, begun, send, sendMany, outcomes };
}

const refused = (outcomes: readonly unknown[]) =>
  outcomes.filter((outcome) => (outcome as { ok: boolean }).ok === false).length;

/** How it is fair is tested of the queue that it uses: fair-queue.test.ts. */
describe('the queue of sign-ins', () => {
  test('has room for another network whatever one sends', async () => {
    const { send, sendMany, outcomes } = openQueue();
    const flood = sendMany('a', 500);
    expect(await outcomes([send('b')])).toEqual([ok('b')]);
    expect(refused(await Promise.all(flood))).toBe(500 - 5);
  });

  test('refuses a network of its own when as many others wait as it has places, and says for whose limit', async () => {
    const { send, outcomes } = openQueue();
    const others = Array.from({ length: 1 + 8 }, (_, index) => send(`network ${index}`));
    expect(await send('one more')).toEqual(QUEUE_BUSY);
    expect(await send('network 1')).toEqual(NETWORK_BUSY);
    expect(refused(await outcomes(others))).toBe(0);
  });

  test('refuses what waited too long when its turn comes, and begins what did not', async () => {
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
