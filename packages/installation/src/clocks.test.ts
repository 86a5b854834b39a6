import { afterEach, expect, test, vi } from 'vitest';
import { createMonotonicClock, createSystemClock } from './clocks.ts';

afterEach(() => void vi.useRealTimers());

test('the system clock follows the machine’s time, backwards too; the monotonic clock does not', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_790_000_000_123 });
  const [system, monotonic] = [createSystemClock(), createMonotonicClock()];
  expect(system.now()).toBe(1_790_000_000_123);
  const before = monotonic.elapsedMs();
  vi.setSystemTime(4_000);
  expect(system.now()).toBe(4_000);
  const passed = monotonic.elapsedMs() - before;
  expect([passed >= 0, passed < 3_600_000]).toEqual([true, true]);
});
