import type { Proof } from './core/stream.ts';

/** The time of day of Gatehouse. The clock of this machine does not decide when a token expires. */
export interface ServerClock {
  set(proof: Proof): void;
  /** Whether this time may have passed at Gatehouse, or passes within a second. Then Gatehouse decides. */
  mayBePast(time: number): boolean;
}

const MARGIN_MS = 1000;

/**
 * @param now monotonic, in milliseconds
 * @param maxStalenessMs how old a proof was at most when it arrived, if it decides anything
 */
export function createServerClock(now: () => number, maxStalenessMs: number): ServerClock {
  let time = Number.POSITIVE_INFINITY;
  let arrivedAt = 0;
  return {
    set(proof) {
      time = proof.time;
      arrivedAt = now();
    },
    mayBePast: (end) =>
      end <= time + (now() - arrivedAt) + maxStalenessMs + MARGIN_MS && end !== Number.POSITIVE_INFINITY,
  };
}
