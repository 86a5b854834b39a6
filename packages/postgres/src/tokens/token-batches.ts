import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { type TokenTable, tokenColumns, toToken } from './token-columns.ts';

/** The batch size: small enough for the time limit and the number of parameters of a statement. */
const BATCH = 1000;

/**
 * Locks all tokens that satisfy the condition, and yields them in batches, as they were when they were locked.
 * Locks them in the order of their ids, to avoid deadlocks.
 */
export async function* lockedBatches(tx: Queries, condition: RawBuilder<SqlBool>) {
  // All rows are needed. By default, PostgreSQL optimizes the plan of a cursor for the first rows.
  await sql`select set_config('cursor_tuple_fraction', '1', true)`.execute(tx);
  await sql`
    declare locked_tokens no scroll cursor for
      select ${sql.join(tokenColumns.map((column) => sql.ref(column)))} from tokens
      where ${condition} order by tokens.id for no key update`.execute(tx);
  for (;;) {
    const { rows } = await sql<Selectable<TokenTable>>`
      fetch ${sql.lit(BATCH)} from locked_tokens`.execute(tx);
    if (rows.length === 0) break;
    yield rows.map(toToken);
  }
  await sql`close locked_tokens`.execute(tx);
}
