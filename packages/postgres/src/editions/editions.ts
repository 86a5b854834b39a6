import type { Editions, OlderProgram } from '@gatehouse/domain/editions';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import { EDITION } from './application-name.ts';

/** Connections that decide nothing, and have the same name in all editions. */
const WITHOUT_EDITION = ['gatehouse membership', 'gatehouse address probe'];

/**
 * Finds programs of older editions by the names of their connections. If the URL of the database gives connections a
 * name, their edition is unknown, so each of them counts as older, also those of this program.
 */
export function createPostgresEditions({ queries }: Database): Editions {
  return {
    async findOlder() {
      const { rows } = await sql<OlderProgram>`
        select application_name as application, count(*)::int as connections
        from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'
          and (application_name = 'gatehouse' or application_name like 'gatehouse %'
            or application_name = current_setting('application_name'))
          and application_name <> all(${WITHOUT_EDITION}::text[])
          and coalesce(substring(application_name from '^gatehouse.* ([0-9]{1,9})$')::int, 0) < ${EDITION}
          and ${onPrimary}
        group by application_name order by application_name`.execute(queries);
      return rows;
    },
  };
}
