import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * 244 random bits, for sessions that servers of the version before open. Servers of this version send 256 bits of their
 * own.
 */
const RANDOM = sql.raw(`decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')`);

/** The number of sessions that one step gives a form key. */
const BATCH = 1000;

/**
 * Adds the columns with which a session gets a new secret: the secret before, which requests that are under way still send,
 * and a key for forms, which stays the same. Servers of the version before open sessions without naming these columns.
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
