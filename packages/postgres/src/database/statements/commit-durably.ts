import { sql } from 'kysely';
import type { Queries } from '../schema.ts';

/**
 * Makes a change that ends a token in a transaction that survives a crash once it is acknowledged, even if the server
 * acknowledges before writing by default. Settings that require more than one disk are kept.
 */
export function commitDurably<T>(queries: Queries, change: (tx: Queries) => Promise<T>): Promise<T> {
  return queries.transaction().execute(async (tx) => {
    await sql`
      select set_config('synchronous_commit', 'on', true)
      where current_setting('synchronous_commit') = 'off'`.execute(tx);
    return change(tx);
  });
}
