import type { AuditEvent } from '../audit/audit-event.ts';
import type { Organization } from './organization.ts';

type OrganizationEvent = Pick<AuditEvent, 'subject' | 'accountId'>;

/** What every event of an organization says of it. */
export function onOrganization({ id, accountId }: Organization): OrganizationEvent {
  return { subject: { type: 'organization', id: String(id) }, accountId };
}
