import { type Kysely, sql } from 'kysely';

/** The admins of an account, whom its members are told: few among many users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index users_admins on users (account_id, id) where role = 'admin' and disabled_at is null`.execute(
    db,
  );
}
