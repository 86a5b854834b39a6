import { type Kysely, sql } from 'kysely';

/**
 * Adds the secret from which services get the handles of records in the change stream. It is made once by the database,
 * so that all servers make the same handles, also after a restart. It is not encrypted, because a reader of this database
 * finds the ids themselves there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists change_handles (
      -- At most one row.
      is_only boolean primary key default true check (is_only),
      secret bytea not null check (length(secret) = 32)
    );
    -- 244 random bits, because PostgreSQL has no other function for strong random numbers without an extension.
    insert into change_handles (secret)
    values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
    on conflict do nothing`.execute(db);
}
