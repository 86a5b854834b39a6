import type { Editions, OlderProgram } from '../../src/editions/index.ts';

/** Editions for tests, which can connect programs of an older edition. */
export interface InMemoryEditions extends Editions {
  /** Connects an older program. Returns a function that ends it. */
  connectOlder(program?: OlderProgram): () => void;
}

export function createInMemoryEditions(): InMemoryEditions {
  const older = new Set<OlderProgram>();
  return {
    findOlder: async () => [...older],
    connectOlder(program = { application: 'gatehouse', connections: 1 }) {
      older.add(program);
      return () => void older.delete(program);
    },
  };
}
