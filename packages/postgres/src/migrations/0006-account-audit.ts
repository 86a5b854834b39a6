import { type Kysely, sql } from 'kysely';

/** What an account's admins ask of its part of the audit log: events of some kinds, newest first, page by page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_events_account_action on audit_events (account_id, action, id)`.execute(db);
}
