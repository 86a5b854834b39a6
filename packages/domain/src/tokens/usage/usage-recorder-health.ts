import type { Instant } from '../../time/instant.ts';

/** The lag of a recorder when it last stored usage, by the store's own clock. */
export interface UsageRecorderLag {
  readonly storedAt: Instant;
  /** The age of the oldest usage that it stored, in milliseconds. */
  readonly lagMs: number;
}

/**
 * Reports the lag of the usage recorders of all nodes. A recorder has one entry once it has stored usage, and loses
 * it after a day without storing any; newest first. A recorder without usage, or without a connection, does not
 * update its entry.
 * Implementations pass `usageRecorderHealthContract`.
 */
export interface UsageRecorderHealth {
  list(): Promise<readonly UsageRecorderLag[]>;
}
