import type { Instant, StoreProbe } from '@gatehouse/domain';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { schemaState } from './migrate.ts';

/** Looks at a PostgreSQL database, whatever its schema. */
export function createPostgresStoreProbe(database: Database): StoreProbe {
  return {
    async now() {
      const { rows } = await sql<{ now: Instant }>`select clock_timestamp()::timestamptz(3) as now`.execute(
        database.queries,
      );
      const [row] = rows;
      if (!row) throw new Error('the database did not tell the time');
      return row.now;
    },

    schemaState: () => schemaState(database),
  };
}
