import type { Moment } from './core/clocks.ts';
import type { Proof } from './core/stream.ts';

/** The time of day of Gatehouse. The clock of this machine does not decide when a token expires. */
export interface ServerClock {
  set(proof: Proof): void;
  /** Whether this time may have passed at Gatehouse, or passes within a second. Then Gatehouse decides. */
  mayBePast(time: number): boolean;
  /**
   * The time of day of Gatehouse at a monotonic time, both in milliseconds. It is early by the age of the last proof, and never late.
   * Before the first proof it is that of this machine.
   */
  timeOf(monotonic: number): number;
}

const MARGIN_MS = 1000;

/** @param maxStalenessMs how old a proof was at most when it arrived, if it decides anything */
export function createServerClock(now: () => Moment, maxStalenessMs: number): ServerClock {
  let time = Number.POSITIVE_INFINITY;
  let arrivedAt = 0;
  return {
    set(proof) {
      time = proof.time;
      arrivedAt = now().monotonic;
    },
    mayBePast: (end) =>
      end !== Number.POSITIVE_INFINITY &&
      end <= time + (now().monotonic - arrivedAt) + maxStalenessMs + MARGIN_MS,
    timeOf(monotonic) {
      if (time !== Number.POSITIVE_INFINITY) return time + monotonic - arrivedAt;
      const here = now();
      return here.wall + monotonic - here.monotonic;
    },
  };
}
