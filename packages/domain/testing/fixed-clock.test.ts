import { describe, expect, it } from 'vitest';
import type { Instant } from '../src/time/instant.ts';
import { createFixedClock } from './fixed-clock.ts';

describe('The fixed clock', () => {
  it('stands still until it is moved, forwards or backwards', () => {
    const clock = createFixedClock(5_000 as Instant);
    expect([clock.now(), clock.now()]).toEqual([5_000, 5_000]);
    clock.advance(1_500);
    expect(clock.now()).toBe(6_500);
    clock.set(1_000 as Instant);
    expect(clock.now()).toBe(1_000);
  });
});
