import { sql } from 'kysely';
import { openDatabase } from '../src/database/database.ts';
import { openTestDatabase } from './open-test-store.ts';

/** A primary, and another pool whose sessions behave like those of a standby: in recovery, and read-only. */
export async function openWithPretendedStandby() {
  const { url, database, close } = await openTestDatabase();
  const standby = openDatabase({ url, poolSize: 2 });
  return {
    url,
    database,
    standby,

    /** Sets whether new sessions behave like a standby's or the primary's. */
    async pretend(now: boolean): Promise<void> {
      const { queries } = database;
      const name = new URL(url).pathname.slice(1);
      // Without this table, sessions keep the database's search path (session-settings.ts).
      const statements = now
        ? [
            'alter table kysely_migration rename to hidden_migration',
            'create schema if not exists pretended',
            'create or replace function pretended.pg_is_in_recovery() returns boolean language sql as $$ select true $$',
            `alter database ${name} set search_path = pretended, pg_catalog, public`,
            `alter database ${name} set default_transaction_read_only = on`,
          ]
        : [
            'alter table hidden_migration rename to kysely_migration',
            `alter database ${name} reset search_path`,
            `alter database ${name} reset default_transaction_read_only`,
          ];
      for (const statement of statements) await sql.raw(statement).execute(queries);
    },

    async close() {
      await standby.close();
      await close();
    },
  };
}
