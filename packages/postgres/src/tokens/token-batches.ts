import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { type TokenTable, tokenColumns, toToken } from './token-columns.ts';

/**
 * The number of tokens in a batch, and so in each statement that changes them. The notification of a statement names at
 * most 100 ids. After a statement with more, every server and every verifier forgets everything.
 */
const BATCH = 100;

/**
 * Locks all tokens that satisfy the condition, in the order of their ids to avoid deadlocks. Yields the tokens in
 * batches, as they were when they were locked.
 */
export async function* lockedBatches(tx: Queries, condition: RawBuilder<SqlBool>) {
  // This cursor reads all rows. By default, PostgreSQL chooses a plan that is fast for the first rows only.
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
