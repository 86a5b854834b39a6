import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSystemClock } from './system-clock.ts';

describe('The system clock', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns the machine’s time in whole milliseconds', () => {
    vi.useFakeTimers({ now: 1_790_000_000_123 });
    expect(createSystemClock().now()).toBe(1_790_000_000_123);
  });

  it('follows the machine’s time, backwards too', () => {
    vi.useFakeTimers({ now: 5_000 });
    const clock = createSystemClock();
    vi.setSystemTime(4_000);
    expect(clock.now()).toBe(4_000);
  });
});
