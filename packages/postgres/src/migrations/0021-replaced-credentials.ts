import { type Kysely, sql } from 'kysely';

/** Stores which credential of a service replaces another one, so that none is replaced twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_credentials add column if not exists replaced_by uuid references service_credentials`.execute(
    db,
  );
}
