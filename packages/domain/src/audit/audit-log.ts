import type { AuditEvent } from './audit-event.ts';

/**
 * Reads what was recorded. Events are written by the repositories, in the transaction of the change.
 * Implementations pass `auditLogContract`.
 */
export interface AuditLog {
  /** The newest events first, at most `limit` of them. */
  list(options: { readonly limit: number }): Promise<readonly AuditEvent[]>;
}
