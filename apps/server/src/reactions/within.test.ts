import { expect, onTestFinished, test, vi } from 'vitest';
import { within } from './within.ts';

test('work that ends in time is its result, and leaves no timer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect(await within(1000, Promise.resolve('done'))).toBe('done');
  await expect(within(1000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
});

test('work that does not end is not waited for longer than the limit', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const waiting = within(15_000, new Promise(() => undefined));
  const ended = vi.fn();
  waiting.catch(ended);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await expect(waiting).rejects.toThrow('no answer within 15000 milliseconds');
});
