import pg from 'pg';

/** Locks a table for a while, so each statement on it has to wait. */
export interface TableLock extends AsyncDisposable {
  take(): Promise<void>;
  release(): Promise<void>;
  /** Returns how many reads of Gatehouse wait for a lock; the storing of uses may wait as well at any time. */
  waitingReads(): Promise<number>;
}

export async function openTableLock(url: string, table: string): Promise<TableLock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    take: async () => void (await client.query(`begin; lock table ${table} in access exclusive mode`)),
    release: async () => void (await client.query('rollback')),
    async waitingReads() {
      // Otherwise a transaction always sees the sessions as they were at its first query.
      await client.query('select pg_stat_clear_snapshot()');
      const { rows } = await client.query<{ count: number }>(`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name similar to 'gatehouse( [0-9]+)?' and wait_event_type = 'Lock'
          and query like 'select %'`);
      return rows[0]?.count ?? 0;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
