import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Makes sure that a change that ends a token survives a crash once it is acknowledged, even if the server acknowledges
 * before writing by default. Settings that require more than one disk are kept.
 */
export async function commitDurably(tx: Kysely<Schema>): Promise<void> {
  await sql`
    select set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') = 'off'`.execute(tx);
}
