import type { ChangeFeedProbe, ChangeFeedVerdict, Clock, SchemaState, StoreProbe } from '../../src/index.ts';

/** A store in memory has no schema: it is in the state that it is said to be in. */
export function createInMemoryStoreProbe(clock: Clock, state: SchemaState = 'current'): StoreProbe {
  return {
    now: async () => clock.now(),
    schemaState: async () => state,
  };
}

export function createInMemoryChangeFeedProbe(
  verdict: ChangeFeedVerdict = { trusted: true },
): ChangeFeedProbe {
  return { try: async () => verdict };
}
