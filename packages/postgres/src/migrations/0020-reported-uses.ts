import { type Kysely, sql } from 'kysely';

/**
 * Adds to the uses of tokens at services when a token was first used there, and whether the service itself reported the
 * last use. Adds to the usage of tokens which service reported the last refusal.
 *
 * Running it again changes nothing. Servers of the edition before write rows without these values. Therefore a missing
 * first use counts as the last one, and the table is not rewritten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table token_service_uses
      -- A service reports no use before this time.
      add column if not exists first_used_at timestamptz(3),
      -- Whether the service reported the last use. If not, it asked about it.
      add column if not exists is_reported boolean not null default false;

    alter table token_usage
      -- The service that reported the last refusal.
      add column if not exists last_refused_by text collate "C"`.execute(db);
}
