export {
  type Actor,
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEvent,
  type AuditSubjectType,
} from './audit-event.ts';
export type { AuditEntry, AuditEventId, AuditFilter, AuditLog, AuditQuery } from './audit-log.ts';
export { type ListAuditEventsInput, listAuditEvents, type Moment } from './list-audit-events.ts';
