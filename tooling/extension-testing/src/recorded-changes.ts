import {
  type ExtensionDatabase,
  type ExtensionQueries,
  schemaOf,
  sql,
} from '@gatehouse/extension-kit/postgres';

/**
 * The database of an extension in its tests: a change of its rows that records no audit event is refused. One that changed
 * nothing needs none.
 */
export function expectRecorded(
  database: ExtensionDatabase<unknown>,
  extension: string,
): ExtensionDatabase<unknown> {
  const schema = schemaOf(extension);
  return {
    ...database,
    change: (work) =>
      database.change(async (tx, record) => {
        let recorded = 0;
        const before = await rowsChanged(tx, schema);
        const outcome = await work(tx, async (event) => {
          recorded += 1;
          await record(event);
        });
        if (recorded === 0 && (await rowsChanged(tx, schema)) > before) {
          throw new Error(`a change of ${extension} records no audit event: call \`record\``);
        }
        return outcome;
      }),
  };
}

/** Counted by PostgreSQL for this connection since it last reported its statistics, which it does between transactions. */
async function rowsChanged(tx: ExtensionQueries<unknown>, schema: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as count
    from pg_stat_xact_user_tables where schemaname = ${schema}`.execute(tx);
  return rows[0]?.count ?? 0;
}
