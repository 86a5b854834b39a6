import { expect, test, vi } from 'vitest';
import { START } from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import { type LimitSignInPorts, limitSignIns as limitedBy } from './limit-sign-ins.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInQueue } from './sign-in-queue.ts';

/** A sign-in that is limited. */
function limitSignIns(signIn: SignIn, ports: LimitSignInPorts): SignIn {
  const limit = limitedBy(ports);
  return (input) => limit(input, () => signIn(input));
}

const INPUT = { email: 'Ada@acme.example', password: 'a heavy press, twice', address: '::ffff:192.0.2.1' };
const NETWORK_BUSY = err({ code: 'hashing_busy', limit: 'network' } as const);
const QUEUE_BUSY = err({ code: 'hashing_busy', limit: 'queue' } as const);
const TOO_MANY = { code: 'too_many_attempts', limit: 'address', retryAfterSeconds: 60 } as const;

const queueOf = (queue: (network: string, work: () => Promise<unknown>) => Promise<unknown>) =>
  // A mock cannot be generic in the result of its task, as the queue is.
  Object.assign(vi.fn(queue), { load: () => ({ active: 0, waiting: 0 }) }) as unknown as SignInQueue;
const admitAll = () => queueOf(async (_, work) => ok(await work()));

const portsOf = (ports: Partial<LimitSignInPorts> = {}): LimitSignInPorts => ({
  throttle: { cachedRefusal: () => undefined },
  queue: admitAll(),
  networkOf: (address) => address.replace('::ffff:', ''),
  pace: () => 0,
  maxHeld: 1_000,
  pause: async () => expect.fail('nothing is held back'),
  ...ports,
});

test('no work is done for a sign-in that the queue refuses', async () => {
  const signIn = vi.fn<SignIn>();
  const queue = queueOf(async () => NETWORK_BUSY);
  expect(await limitSignIns(signIn, portsOf({ queue }))(INPUT)).toEqual(NETWORK_BUSY);
  expect(signIn).not.toHaveBeenCalled();
});

test('text without an @ is looked up as an empty email', async () => {
  const cachedRefusal = vi.fn(() => TOO_MANY);
  const limited = limitSignIns(vi.fn<SignIn>(), portsOf({ throttle: { cachedRefusal } }));
  expect(await limited({ ...INPUT, email: 'A heavy press' })).toEqual(err(TOO_MANY));
  expect(cachedRefusal).toHaveBeenCalledExactlyOnceWith({ email: '', address: INPUT.address });
});

test.each<[string, Partial<LimitSignInPorts>, unknown]>([
  ['the queue’s, to a network that is waiting,', { queue: queueOf(async () => NETWORK_BUSY) }, NETWORK_BUSY],
  ['a known one', { throttle: { cachedRefusal: () => TOO_MANY } }, err(TOO_MANY)],
])('of refusals, %s is delayed by the rate limit', async (_, refusing, expected) => {
  const pauses = Promise.withResolvers<void>();
  const pause = vi.fn(() => pauses.promise);
  const answered = vi.fn();
  const limited = limitSignIns(vi.fn<SignIn>(), portsOf({ ...refusing, pace: () => 40, pause }));
  const refused = limited(INPUT).finally(answered);
  await new Promise(setImmediate);
  expect(answered).not.toHaveBeenCalled();
  expect(pause).toHaveBeenCalledExactlyOnceWith(40);
  pauses.resolve();
  expect(await refused).toEqual(expected);
});

test('the queue’s refusal because of other networks is sent at once, whatever the rate', async () => {
  const pace = vi.fn(() => 40);
  const ports = portsOf({ queue: queueOf(async () => QUEUE_BUSY), pace });
  expect(await limitSignIns(vi.fn<SignIn>(), ports)(INPUT)).toEqual(QUEUE_BUSY);
  expect(pace).not.toHaveBeenCalled();
});

test('the response to an admitted sign-in is not delayed, whatever the outcome', async () => {
  const busy = err({ code: 'hashing_busy' } as const);
  const ports = portsOf({ pace: () => 40 });
  expect(await limitSignIns(async () => busy, ports)(INPUT)).toEqual(busy);
});

test.each([ok({ secret: 'token', expiresAt: START }), err({ code: 'credentials_not_accepted' } as const)])(
  'an admitted sign-in returns its own outcome: %j',
  async (outcome) => {
    const signIn = vi.fn<SignIn>(async () => outcome);
    const queue = admitAll();
    expect(await limitSignIns(signIn, portsOf({ queue }))(INPUT)).toEqual(outcome);
    expect(signIn).toHaveBeenCalledExactlyOnceWith(INPUT);
    expect(queue).toHaveBeenCalledExactlyOnceWith('192.0.2.1', expect.any(Function));
  },
);

test('a known refusal is returned without entering the queue', async () => {
  const signIn = vi.fn<SignIn>();
  const queue = admitAll();
  const cachedRefusal = vi.fn(() => TOO_MANY);
  expect(await limitSignIns(signIn, portsOf({ throttle: { cachedRefusal }, queue }))(INPUT)).toEqual(
    err(TOO_MANY),
  );
  expect(cachedRefusal).toHaveBeenCalledExactlyOnceWith({
    email: 'ada@acme.example',
    address: INPUT.address,
  });
  expect(queue).not.toHaveBeenCalled();
  expect(signIn).not.toHaveBeenCalled();
});

test('only the allowed number of refusals is delayed at once: one more is sent without delay', async () => {
  const pauses = Promise.withResolvers<void>();
  const pause = vi.fn(() => pauses.promise);
  const ports = portsOf({ throttle: { cachedRefusal: () => TOO_MANY }, pace: () => 40, maxHeld: 20, pause });
  const refuse = limitSignIns(vi.fn<SignIn>(), ports);
  const held = Array.from({ length: 20 }, () => refuse(INPUT));
  const answered = vi.fn();
  void refuse(INPUT).then(answered);
  await new Promise(setImmediate);
  expect(answered).toHaveBeenCalledExactlyOnceWith(err(TOO_MANY));
  expect(pause).toHaveBeenCalledTimes(20);

  pauses.resolve();
  await Promise.all(held);
  await refuse(INPUT);
  expect(pause).toHaveBeenCalledTimes(21);
});

test('a refusal whose delay fails no longer counts as delayed', async () => {
  const pause = vi.fn(() => Promise.reject(new Error('no timer')));
  const ports = portsOf({ throttle: { cachedRefusal: () => TOO_MANY }, pace: () => 40, maxHeld: 20, pause });
  const refuse = limitSignIns(vi.fn<SignIn>(), ports);
  await Promise.allSettled(Array.from({ length: 20 }, () => refuse(INPUT)));
  await expect(refuse(INPUT)).rejects.toThrow('no timer');
});
