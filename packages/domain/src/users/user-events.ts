import type { AuditEvent } from '../audit/audit-event.ts';
import type { User } from './user.ts';

/** What every event of a user says of it. */
export function onUser({ id, accountId }: User): Pick<AuditEvent, 'subject' | 'accountId'> {
  return { subject: { type: 'user', id: String(id) }, accountId };
}
