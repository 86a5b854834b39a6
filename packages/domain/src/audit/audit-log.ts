import type { AccountId } from '../accounts/account.ts';
import type { Brand } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { Email } from '../users/email.ts';
import type { Actor, AuditAction, AuditEvent } from './audit-event.ts';

/**
 * The id of an event in the log. If a transaction had to wait for another transaction, the events of the one that
 * waited have the greater ids.
 */
export type AuditEventId = Brand<number, 'AuditEventId'>;

/** An event with its id in the log. */
export interface AuditEntry {
  readonly id: AuditEventId;
  readonly event: AuditEvent;
  /** The current email of the user who acted, or for whom an operator acted; null if the event has no such user. */
  readonly actorEmail: Email | null;
}

/** Selects events; filters are combined with AND. */
export interface AuditFilter {
  readonly subject?: AuditEvent['subject'] | undefined;
  readonly accountId?: AccountId | undefined;
  /**
   * Selects the events of this actor. The events of a user include changes that operators made for the user. The events
   * of an operator include changes that the operator made for users.
   */
  readonly actor?: Actor | undefined;
  /** Selects events with any of these actions. */
  readonly actions?: readonly AuditAction[] | undefined;
  /** Selects events at or after this time. */
  readonly since?: Instant | undefined;
  /** Selects events before this time. */
  readonly until?: Instant | undefined;
}

export interface AuditQuery extends AuditFilter {
  /** The last event of the previous page. Only events before it in the log are returned. */
  readonly before?: AuditEventId | undefined;
  readonly limit: number;
}

/**
 * Reads the audit log. Events are written by the repositories: each stores the event of a change in the same
 * transaction as the change. Implementations pass `auditLogContract`.
 */
export interface AuditLog {
  /** Returns at most `limit` entries, newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
}
