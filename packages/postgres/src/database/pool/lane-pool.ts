import type { PostgresPool } from 'kysely';
import { currentAsker } from './askers.ts';
import type { Lanes } from './lanes.ts';

/** A pool that gives connections to askers in the turns of their lanes, and at once to statements without an asker. */
export function createLanePool(pool: PostgresPool, lanes: Pick<Lanes, 'enter'>): PostgresPool {
  return {
    options: {},
    async connect() {
      const asker = currentAsker();
      if (!asker) return pool.connect();
      const leave = await lanes.enter(asker);
      try {
        const client = await pool.connect();
        const release = (destroy?: boolean) => {
          client.release(destroy);
          leave();
        };
        return { query: client.query, release };
      } catch (fault) {
        leave();
        throw fault;
      }
    },
    end: () => pool.end(),
  };
}
