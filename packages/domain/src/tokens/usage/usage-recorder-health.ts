import type { Instant } from '../../time/instant.ts';

/** How far behind a recorder was when it stored usage last, both by the store's own clock. */
export interface UsageRecorderLag {
  readonly storedAt: Instant;
  /** The age that the oldest of what it stored had by then, in milliseconds. */
  readonly lagMs: number;
}

/**
 * How the usage recorders of all nodes keep up. Each has one entry, the newest first, once it has stored
 * something; it is gone when the recorder stored nothing for a day. A recorder with nothing to store, and one
 * that cannot store, say nothing new.
 * Implementations pass `usageRecorderHealthContract`.
 */
export interface UsageRecorderHealth {
  list(): Promise<readonly UsageRecorderLag[]>;
}
