import { type Kysely, sql } from 'kysely';

/** Lets an account's admins read its part of the audit log: events of some kinds, newest first, page by page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // All changes write audit events, and wait for the index. With more memory it takes half the time.
  await sql`
    set local maintenance_work_mem = '256MB';
    create index audit_events_account_action on audit_events (account_id, action, id);
  `.execute(db);
}
