import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMonotonicClock } from './monotonic-clock.ts';

describe('The monotonic clock', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('continues whatever the machine’s time is set to', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 5_000 });
    const clock = createMonotonicClock();
    const before = clock.elapsedMs();
    vi.setSystemTime(-3_600_000);
    const after = clock.elapsedMs();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after - before).toBeLessThan(3_600_000);
  });
});
