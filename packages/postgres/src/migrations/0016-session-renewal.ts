import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * 244 random bits, the default form key for sessions that servers of the previous version create. Servers of this
 * version create a form key of 256 bits themselves.
 */
const RANDOM = sql.raw(`decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')`);

/** The number of sessions that get a form key in one transaction. */
const BATCH = 1000;

/**
 * Adds the columns with which the secret of a session can be replaced: the hash of the previous secret, which requests
 * under way still send, and a key for forms, which stays the same. Servers of the previous version insert sessions
 * without these columns.
 */
export const steps = inSteps(
  sql`
    alter table sessions
      add column if not exists form_key bytea check (length(form_key) = 32),
      add column if not exists replaced_hash bytea check (length(replaced_hash) = 32),
      add column if not exists replaced_at timestamptz(3) check ((replaced_at is null) = (replaced_hash is null)),
      add column if not exists is_renewal_due boolean not null default false;
    alter table sessions alter column form_key set default ${RANDOM}`,
  async (transaction) => {
    const { numAffectedRows } = await sql`
      update sessions set form_key = ${RANDOM} where id = any(array(
        select id from sessions where form_key is null order by id limit ${sql.lit(BATCH)} for update
      ))`.execute(transaction);
    return numAffectedRows === 0n ? undefined : 'more';
  },
  sql`alter table sessions alter column form_key set not null`,
  sql`create unique index if not exists sessions_replaced_hash on sessions (replaced_hash)`,
);
