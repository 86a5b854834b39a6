import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Role, User } from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { endLinksOf } from '../links/end-links.ts';
import { makeRenewalDue } from '../sessions/session-changes.ts';

/** Changes the role, and what depends on it. The caller must have locked the account and the user. */
export async function changeRole(tx: Queries, user: User, role: Role, event: AuditEvent): Promise<User> {
  await tx.updateTable('users').set({ role }).where('id', '=', user.id).execute();
  await makeRenewalDue(tx, user.id);
  await endLinksOf(tx, user.id, event);
  await insertAuditEvents(tx, [event]);
  return { ...user, role };
}
