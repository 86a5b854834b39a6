import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Queries } from '../schema.ts';

/** The tables whose rows are of no use after a time, with the column that is the primary key of each. */
const KEYS = { sessions: 'id', sign_in_attempts: 'state_hash', pending_sign_ins: 'secret_hash' } as const;

/**
 * Deletes up to `limit` rows that were created before this time, and returns their number. Skips rows that another
 * transaction has locked, so that several processes can sweep at the same time.
 */
export async function sweepOld(
  db: Queries,
  table: keyof typeof KEYS,
  { createdBefore, limit }: { readonly createdBefore: Instant; readonly limit: number },
): Promise<number> {
  const [from, key] = [sql.table(table), sql.ref(KEYS[table])];
  // Uses the index on created_at and the primary key of the table. With a join instead of an array, PostgreSQL may read
  // the whole table for each batch.
  const swept = await sql`
    delete from ${from} where ${key} = any(array(
      select ${key} from ${from} where created_at < ${formatInstant(createdBefore)}
      order by created_at limit ${limit} for update skip locked
    ))`.execute(db);
  return Number(swept.numAffectedRows);
}
