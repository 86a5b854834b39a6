import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Adds an index for the admins of an account, who read the account's part of the audit log: events of some kinds,
 * newest first, page by page. Every change writes an audit event, and waits while the index is built. More memory
 * halves that time.
 */
export const up = script(sql`
    set local maintenance_work_mem = '256MB';
    create index audit_events_account_action on audit_events (account_id, action, id);
  `);
