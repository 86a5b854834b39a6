import type { AccountId } from '../accounts/account.ts';
import type { Brand } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenId } from '../tokens/token.ts';
import type { Email } from '../users/email.ts';
import type { UserId } from '../users/user.ts';
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
  /** Selects the events of any of these users. Includes changes that operators made for them. */
  readonly users?: readonly UserId[] | undefined;
  /** Selects events whose subject is any of these tokens. */
  readonly tokens?: readonly TokenId[] | undefined;
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

/** Names users and API tokens by any part of their names, regardless of case. No character is a wildcard. */
export interface NamesQuery {
  /** The account of the users and tokens. Default: all accounts. */
  readonly accountId?: AccountId | undefined;
  /** A part of a user's name or email. If it is the email of a user, only this user is found. */
  readonly user?: string | undefined;
  /** A part of a token's current name. If it is the id of a token, only this token is found. */
  readonly token?: string | undefined;
  /** The maximum number of users, and of tokens. */
  readonly limit: number;
}

/** The users and API tokens that were found; undefined if the query did not ask for them. */
export interface FoundNames {
  readonly users: readonly UserId[] | undefined;
  readonly tokens: readonly TokenId[] | undefined;
}

/**
 * Reads the audit log. Events are written by the repositories: each stores the event of a change in the same
 * transaction as the change. Implementations pass `auditLogContract`.
 */
export interface AuditLog {
  /** Returns at most `limit` entries, newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;

  /** Finds the users and API tokens whose events a reader asks for, by parts of their names. */
  findNamed(query: NamesQuery): Promise<FoundNames>;
}
