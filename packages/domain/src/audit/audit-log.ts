import type { AccountId } from '../accounts/account.ts';
import type { Brand } from '../brand.ts';
import type { Instant } from '../time/instant.ts';
import type { Email } from '../users/email.ts';
import type { Actor, AuditAction, AuditEvent } from './audit-event.ts';

/** The place of an event in the log: a later one is greater. Events that waited for each other are in their order. */
export type AuditEventId = Brand<number, 'AuditEventId'>;

/** An event as it stands in the log. */
export interface AuditEntry {
  readonly id: AuditEventId;
  readonly event: AuditEvent;
  /** The email that the actor has now, if it is a user. */
  readonly actorEmail: Email | null;
}

/** Which events are meant: those for which all of this holds. */
export interface AuditFilter {
  readonly subject?: AuditEvent['subject'] | undefined;
  readonly accountId?: AccountId | undefined;
  readonly actor?: Actor | undefined;
  readonly action?: AuditAction | undefined;
  /** Made at this moment or later. */
  readonly since?: Instant | undefined;
  /** Made before this moment. */
  readonly until?: Instant | undefined;
}

export interface AuditQuery extends AuditFilter {
  /** Only what stands before this event in the log: the last one of the page before. */
  readonly before?: AuditEventId | undefined;
  readonly limit: number;
}

/**
 * Reads what was recorded. Events are written by the repositories, in the transaction of the change.
 * Implementations pass `auditLogContract`.
 */
export interface AuditLog {
  /** The newest entries first, at most `limit` of them. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
}
