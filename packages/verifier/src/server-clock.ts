import type { Moment } from './core/clocks.ts';
import type { Proof } from './core/stream.ts';

/** The time of day of Gatehouse. The clock of this machine may be wrong. */
export interface ServerClock {
  set(proof: Proof): void;
  /**
   * The time of day of Gatehouse at a monotonic time, both in milliseconds. It is early by the age of the last proof, and never late.
   * Before the first proof it is that of this machine.
   */
  timeOf(monotonic: number): number;
}

export function createServerClock(now: () => Moment): ServerClock {
  let last: { readonly time: number; readonly arrivedAt: number } | undefined;
  return {
    set({ time }) {
      last = { time, arrivedAt: now().monotonic };
    },
    timeOf(monotonic) {
      if (last) return last.time + monotonic - last.arrivedAt;
      const here = now();
      return here.wall + monotonic - here.monotonic;
    },
  };
}
