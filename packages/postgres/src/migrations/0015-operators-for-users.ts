import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds indexes of the actions of operators on behalf of users. The list of a user's actions and the list of an
 * operator's actions contain these actions. Commands of the previous version record only the user, until the commands
 * are updated.
 */
export const steps = inSteps(
  sql`create index if not exists audit_events_for_user on audit_events ((actor->>'for'), id) where actor ? 'for'`,
  sql`create index if not exists audit_events_operator_for on audit_events ((actor->>'name'), id) where actor ? 'for'`,
);
