import type { Token } from '@gatehouse/domain/tokens';
import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Schema, TokenTable } from '../database/schema.ts';
import { tokenColumns, toToken } from './token-records.ts';

/** So many tokens at a time: each statement stays far from the limit of its time and of its parameters. */
const BATCH = 1000;

/**
 * Locks all tokens that the condition takes, and hands them over in batches, as they were when they were locked.
 * In the order of their ids, so that two who change many tokens at once do not wait in a circle.
 */
export async function forEachBatch(
  tx: Kysely<Schema>,
  condition: RawBuilder<SqlBool>,
  change: (tokens: readonly Token[]) => Promise<void>,
): Promise<void> {
  // All of them are wanted: without this, the plan is the one that has the first of them soonest.
  await sql`select set_config('cursor_tuple_fraction', '1', true)`.execute(tx);
  await sql`
    declare locked_tokens no scroll cursor for
      select ${sql.join(tokenColumns.map((column) => sql.ref(column)))} from tokens
      where ${condition} order by tokens.id for no key update`.execute(tx);
  for (;;) {
    const { rows } = await sql<Selectable<TokenTable>>`
      fetch ${sql.lit(BATCH)} from locked_tokens`.execute(tx);
    if (rows.length === 0) break;
    await change(rows.map(toToken));
  }
  await sql`close locked_tokens`.execute(tx);
}
