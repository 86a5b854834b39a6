import { sql } from 'kysely';
import type { Queries } from '../schema.ts';

/**
 * Runs a change that ends a token in a transaction. Once the transaction is acknowledged, it survives a crash, even if
 * the server by default acknowledges transactions before writing them. If `synchronous_commit` is not off, its value is
 * kept.
 */
export function commitDurably<T>(queries: Queries, change: (tx: Queries) => Promise<T>): Promise<T> {
  return queries.transaction().execute(async (tx) => {
    await sql`
      select set_config('synchronous_commit', 'on', true)
      where current_setting('synchronous_commit') = 'off'`.execute(tx);
    return change(tx);
  });
}
