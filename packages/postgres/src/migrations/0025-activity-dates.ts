import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds an index for the admins of an account, who read the events of some days. The index also has the ids and actions
 * of events, so that PostgreSQL need not read the events of other types to select and sort them.
 */
export const steps = inSteps(
  sql`create index if not exists audit_events_account_at on audit_events (account_id, at) include (id, action)`,
);
