import { type Kysely, sql } from 'kysely';

type Operation = 'insert' | 'update' | 'delete';

/**
 * For each operation, the transition tables of its trigger, which have the changed rows from before and after the
 * statement, and the query for the ids of these rows.
 */
const ROWS = {
  insert: { transition: 'new table as new_rows', ids: (id: string) => `select ${id} from new_rows` },
  update: {
    transition: 'old table as old_rows new table as new_rows',
    ids: (id: string) => `select ${id} from old_rows union select ${id} from new_rows`,
  },
  delete: { transition: 'old table as old_rows', ids: (id: string) => `select ${id} from old_rows` },
} as const;

/**
 * Creates or replaces triggers that notify servers of each statement that changes rows of a table, when the change is committed. The
 * triggers call the function `notify_change` of migration 0002. A truncation is always notified. Migrations that were
 * released call this function, so what it creates must not change.
 *
 * @param kind the kind of the changes in the notification
 * @param changed for an operation, a query that returns the ids of the changed rows, if not all rows count
 * @param id the expression for the id of a row
 */
export async function notifyOf(
  db: Kysely<unknown>,
  table: string,
  kind: string,
  operations: readonly Operation[],
  changed: { readonly [operation in Operation]?: string } = {},
  id = 'id',
): Promise<void> {
  for (const operation of operations) {
    const { transition, ids } = ROWS[operation];
    const name = `${table}_notify_${operation}`;
    await sql`
      create or replace trigger ${sql.id(name)} after ${sql.raw(operation)} on ${sql.table(table)}
        referencing ${sql.raw(transition)}
        for each statement execute function notify_change(${sql.lit(kind)}, ${sql.lit(changed[operation] ?? ids(id))});
      alter table ${sql.table(table)} enable always trigger ${sql.id(name)};
    `.execute(db);
  }
  const truncated = sql.id(`${table}_notify_truncate`);
  await sql`
    create or replace trigger ${truncated} after truncate on ${sql.table(table)}
      for each statement execute function notify_change(${sql.lit(kind)});
    alter table ${sql.table(table)} enable always trigger ${truncated};
  `.execute(db);
}
