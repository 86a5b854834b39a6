import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Indexes for the actions of operators for users: the lists of a user's and of an operator's actions include them. Commands of
 * the version before record the user alone, and go on doing so until they are replaced.
 */
export const steps = inSteps(
  sql`create index if not exists audit_events_for_user on audit_events ((actor->>'for'), id) where actor ? 'for'`,
  sql`create index if not exists audit_events_operator_for on audit_events ((actor->>'name'), id) where actor ? 'for'`,
);
