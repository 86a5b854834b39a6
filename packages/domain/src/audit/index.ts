export type { Actor, AuditAction, AuditEvent, AuditSubjectType } from './audit-event.ts';
export { AUDIT_ACTIONS } from './audit-event.ts';
export type { AuditEntry, AuditEventId, AuditFilter, AuditLog, AuditQuery } from './audit-log.ts';
export { type ListAccountAuditEventsInput, listAccountAuditEvents } from './list-account-audit-events.ts';
export { type ListAuditEventsInput, listAuditEvents } from './list-audit-events.ts';
export type { Moment } from './moment.ts';
export type { ToldActor, ToldEntry } from './told-entry.ts';
