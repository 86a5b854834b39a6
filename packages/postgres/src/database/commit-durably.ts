import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * What ends a token outlives a crash once it is acknowledged, even where the server's default is to
 * acknowledge before it has written. Settings that ask for more than one disk stay.
 */
export async function commitDurably(tx: Kysely<Schema>): Promise<void> {
  await sql`
    select set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') = 'off'`.execute(tx);
}
