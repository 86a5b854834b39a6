import { sql } from 'kysely';
import type { MigrationConnection } from './migration-steps.ts';

/** For each operation: the transition tables of its trigger, and a query that returns the ids of the changed rows. */
const CHANGED = {
  insert: ['new table as new_rows', (id: string) => `select ${id} from new_rows`],
  update: [
    'old table as old_rows new table as new_rows',
    (id: string) => `select ${id} from old_rows union select ${id} from new_rows`,
  ],
  delete: ['old table as old_rows', (id: string) => `select ${id} from old_rows`],
} as const;

/**
 * Makes a table of an extension notify servers of each changed row on commit, so that they forget rows that `remember`
 * keeps in memory. Call it in a migration. If a statement changes more than 100 rows, servers forget all rows of the
 * table.
 *
 * @param table with its schema, such as `shift_notes.shift_notes`
 * @param id the column with the ids that `remember` uses
 */
export async function notifyChanges(db: MigrationConnection, table: string, id = 'id'): Promise<void> {
  for (const [operation, [transition, ids]] of Object.entries(CHANGED)) {
    const trigger = sql.id(`notify_${operation}`);
    await sql`
      create trigger ${trigger} after ${sql.raw(operation)} on ${sql.table(table)}
        referencing ${sql.raw(transition)}
        for each statement execute function notify_change(${sql.lit(table)}, ${sql.lit(ids(`"${id}"`))});
      alter table ${sql.table(table)} enable always trigger ${trigger}`.execute(db);
  }
  await sql`
    create trigger notify_truncate after truncate on ${sql.table(table)}
      for each statement execute function notify_change(${sql.lit(table)});
    alter table ${sql.table(table)} enable always trigger notify_truncate`.execute(db);
}
