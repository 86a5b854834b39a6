import { expect, test, vi } from 'vitest';
import { err, ok } from '../result.ts';
import {
  createRefusalRateLimit,
  createSignInGate,
  type SignInGatePorts,
  type SignInQueue,
} from './sign-in-gate.ts';
import { attemptOf } from './sign-in-throttle.ts';

const ATTEMPT = attemptOf('Ada@acme.example', '::ffff:192.0.2.1');
const NETWORK_BUSY = err({ code: 'hashing_busy', limit: 'network' } as const);
const QUEUE_BUSY = err({ code: 'hashing_busy', limit: 'queue' } as const);
const TOO_MANY = { code: 'too_many_attempts', limit: 'address', retryAfterSeconds: 60 } as const;

const queueOf = (enter: SignInQueue['enter']) => ({ enter: vi.fn(enter) });
const admitAll = () => queueOf(async () => ok({ [Symbol.dispose]: () => undefined }));
const REFUSING = { cachedRefusal: () => TOO_MANY };

const gateOf = (ports: Partial<SignInGatePorts> = {}) =>
  createSignInGate({
    throttle: { cachedRefusal: () => undefined },
    queue: admitAll(),
    monotonicClock: { elapsedMs: () => 0 },
    maxHeld: 1_000,
    pause: async () => expect.fail('nothing is held back'),
    ...ports,
  });

/** A gate that has just sent a refusal. At 200 a second, each further one is delayed. */
async function gateBehindRefusal(ports: Partial<SignInGatePorts>) {
  const gate = gateOf(ports);
  await gate.enter(ATTEMPT);
  return gate;
}

test('an admitted sign-in gets its place in the queue, by network, without delay', async () => {
  const place = ok({ [Symbol.dispose]: () => undefined });
  const queue = queueOf(async () => place);
  expect(await gateOf({ queue }).enter(ATTEMPT)).toBe(place);
  expect(queue.enter).toHaveBeenCalledExactlyOnceWith('192.0.2.1/32');
});

test.each<[string, Partial<SignInGatePorts>, unknown]>([
  ['the queue’s, to a network that is waiting,', { queue: queueOf(async () => NETWORK_BUSY) }, NETWORK_BUSY],
  ['a known one', { throttle: REFUSING }, err(TOO_MANY)],
])('of refusals, %s is delayed by the rate limit', async (_, refusing, expected) => {
  const pauses = Promise.withResolvers<void>();
  const pause = vi.fn(() => pauses.promise);
  const answered = vi.fn();
  const gate = await gateBehindRefusal({ ...refusing, pause });
  const refused = gate.enter(ATTEMPT).finally(answered);
  await new Promise(setImmediate);
  expect(answered).not.toHaveBeenCalled();
  expect(pause).toHaveBeenCalledExactlyOnceWith(5);
  pauses.resolve();
  expect(await refused).toEqual(expected);
});

test('the queue’s refusal because of other networks is sent at once, whatever the rate', async () => {
  const gate = gateOf({ queue: queueOf(async () => QUEUE_BUSY) });
  expect([await gate.enter(ATTEMPT), await gate.enter(ATTEMPT)]).toEqual([QUEUE_BUSY, QUEUE_BUSY]);
});

test('a known refusal is returned without entering the queue', async () => {
  const queue = admitAll();
  const cachedRefusal = vi.fn(() => TOO_MANY);
  expect(await gateOf({ throttle: { cachedRefusal }, queue }).enter(ATTEMPT)).toEqual(err(TOO_MANY));
  expect(cachedRefusal).toHaveBeenCalledExactlyOnceWith(ATTEMPT);
  expect(queue.enter).not.toHaveBeenCalled();
});

test('only the allowed number of refusals is delayed at once: one more is sent without delay', async () => {
  const pauses = Promise.withResolvers<void>();
  const pause = vi.fn(() => pauses.promise);
  const gate = await gateBehindRefusal({ throttle: REFUSING, maxHeld: 20, pause });
  const held = Array.from({ length: 20 }, () => gate.enter(ATTEMPT));
  const answered = vi.fn();
  void gate.enter(ATTEMPT).then(answered);
  await new Promise(setImmediate);
  expect(answered).toHaveBeenCalledExactlyOnceWith(err(TOO_MANY));
  expect(pause).toHaveBeenCalledTimes(20);

  pauses.resolve();
  await Promise.all(held);
  await gate.enter(ATTEMPT);
  expect(pause).toHaveBeenCalledTimes(21);
});

test('a refusal whose delay fails no longer counts as delayed', async () => {
  const pause = vi.fn(() => Promise.reject(new Error('no timer')));
  const gate = await gateBehindRefusal({ throttle: REFUSING, maxHeld: 20, pause });
  await Promise.allSettled(Array.from({ length: 20 }, () => gate.enter(ATTEMPT)));
  await expect(gate.enter(ATTEMPT)).rejects.toThrow('no timer');
});

function openPace() {
  const clock = { now: 1_000_000 };
  const pace = createRefusalRateLimit({ perSecond: 10, maxDelayMs: 500 }, { elapsedMs: () => clock.now });
  return { clock, delays: (count: number) => Array.from({ length: count }, pace) };
}

test('refusals below the rate are not delayed', () => {
  const { clock, delays } = openPace();
  for (let refusal = 0; refusal < 20; refusal += 1) {
    expect(delays(1)).toEqual([0]);
    clock.now += 100;
  }
});

test('refusals that come at once are sent one after the other, and none is delayed longer than the maximum', () => {
  const { clock, delays } = openPace();
  expect(delays(8)).toEqual([0, 100, 200, 300, 400, 500, 500, 500]);
  clock.now += 250;
  expect(delays(3)).toEqual([350, 450, 500]);
});

test('after a pause the next refusal is not delayed', () => {
  const { clock, delays } = openPace();
  delays(100);
  clock.now += 600;
  expect(delays(2)).toEqual([0, 100]);
});
