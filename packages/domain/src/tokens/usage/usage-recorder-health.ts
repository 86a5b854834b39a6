import type { Instant } from '../../time/instant.ts';

/** The lag of a recorder when it last stored usage, by the store's own clock. */
export interface UsageRecorderLag {
  readonly storedAt: Instant;
  /** The age of the oldest usage that it stored, in milliseconds. */
  readonly lagMs: number;
}

/**
 * Reports the lag of the usage recorders of all nodes, newest first. A recorder has one entry after it has stored usage,
 * until it has stored none for a day. A recorder without usage, or without a connection, does not update its entry.
 * Implementations pass `usageRecorderHealthContract`.
 */
export interface UsageRecorderHealth {
  list(): Promise<readonly UsageRecorderLag[]>;
}
