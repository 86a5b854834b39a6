import type { ChangeFeedState } from '../../src/changes/index.ts';
import type { ChangeFeedProbe, SchemaState, StoreProbe } from '../../src/health/index.ts';
import type { Clock } from '../../src/time/index.ts';

/** Creates a probe of a store in memory, which has the given schema state and no roles. */
export function createInMemoryStoreProbe(clock: Clock, state: SchemaState = 'current'): StoreProbe {
  return {
    now: async () => clock.now(),
    schemaState: async () => state,
    unfitProperties: async () => [],
    publicAccess: async () => undefined,
    objectCreation: async () => undefined,
    unexpectedObjects: async () => undefined,
  };
}

export function createInMemoryChangeFeedProbe(verdict: ChangeFeedState = { trusted: true }): ChangeFeedProbe {
  return { try: async () => verdict };
}
