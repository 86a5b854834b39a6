import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unlessAbandoned } from './abandon.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  process.exitCode = undefined;
});

function aStart() {
  const starting = Promise.withResolvers<string>();
  const requested = Promise.withResolvers<string>();
  const resources = new AsyncDisposableStack();
  const outcome = unlessAbandoned(starting.promise, requested.promise, resources);
  return { starting, requested, resources, outcome };
}

it('a start completes, also soon after a stop request', async () => {
  for (const stop of [false, true]) {
    const { starting, requested, resources, outcome } = aStart();
    if (stop) requested.resolve('SIGTERM');
    await vi.advanceTimersByTimeAsync(4_000);
    starting.resolve('running');
    expect(await outcome).toBe('running');
    expect(resources.disposed).toBe(false);
  }
});

it('a failed start has a reason', async () => {
  const { starting, outcome } = aStart();
  starting.reject(new Error('why'));
  await expect(outcome).rejects.toThrow('why');
});

it('a start that continues after a stop request is abandoned, and what it opened is closed', async () => {
  const { starting, requested, resources, outcome } = aStart();
  resources.defer(() => starting.reject(new Error('the database was closed')));
  requested.resolve('SIGTERM');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await outcome).toBeUndefined();
  expect([resources.disposed, process.exitCode]).toEqual([true, 0]);
});

it('a start that fails after a stop request is not a fault', async () => {
  const { starting, requested, resources, outcome } = aStart();
  requested.resolve('SIGTERM');
  await vi.advanceTimersByTimeAsync(0);
  starting.reject(new Error('why'));
  expect(await outcome).toBeUndefined();
  expect([resources.disposed, process.exitCode]).toEqual([true, 0]);
});
