export type { Actor, AuditAction, AuditEvent } from './audit-event.ts';
export type { AuditEntry, AuditEventId, AuditFilter, AuditLog, AuditQuery } from './audit-log.ts';
export { eventBy, eventOf } from './event-by.ts';
export { type ListAccountAuditEventsInput, listAccountAuditEvents } from './list-account-audit-events.ts';
export { type ListAuditEventsInput, listAuditEvents } from './list-audit-events.ts';
export type { Moment } from './moment.ts';
export type { ToldActor, ToldEntry } from './told-entry.ts';
