import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * What operators did for users, by user and by operator: a list of what a user or an operator did includes it. Commands of
 * the version before record the user alone, and go on doing so until they are replaced.
 */
export const steps = inSteps(
  sql`create index if not exists audit_events_for_user on audit_events ((actor->>'for'), id) where actor ? 'for'`,
  sql`create index if not exists audit_events_operator_for on audit_events ((actor->>'name'), id) where actor ? 'for'`,
);
