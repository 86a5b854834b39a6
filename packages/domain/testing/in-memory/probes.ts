import type { ChangeFeedState } from '../../src/changes/index.ts';
import type { ChangeFeedProbe, SchemaState, StoreProbe } from '../../src/health/index.ts';
import type { Clock } from '../../src/time/index.ts';

/** A store in memory has no schema and no roles: it is in the state that it is said to be in, and open to no role. */
export function createInMemoryStoreProbe(clock: Clock, state: SchemaState = 'current'): StoreProbe {
  return {
    now: async () => clock.now(),
    schemaState: async () => state,
    publicAccess: async () => undefined,
    objectCreation: async () => undefined,
  };
}

export function createInMemoryChangeFeedProbe(verdict: ChangeFeedState = { trusted: true }): ChangeFeedProbe {
  return { try: async () => verdict };
}
