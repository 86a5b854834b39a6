export type { Actor, AuditAction, AuditEvent, AuditSubjectType } from './audit-event.ts';
export { AUDIT_ACTIONS } from './audit-event.ts';
export type { AuditEntry, AuditEventId, AuditFilter, AuditLog, AuditQuery } from './audit-log.ts';
export { type ListAuditEventsInput, listAuditEvents, type Moment } from './list-audit-events.ts';
