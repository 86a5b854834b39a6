import type { AccountId } from '@gatehouse/domain/accounts';
import type { AuditEvent } from '@gatehouse/domain/audit';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { UserId } from '@gatehouse/domain/users';
import type { Kysely, RawBuilder, SqlBool } from 'kysely';

/**
 * The columns of Gatehouse's own tables that extensions may read and refer to with foreign keys. Later versions keep
 * them.
 */
export interface CoreTables {
  readonly accounts: { readonly id: AccountId };
  readonly users: { readonly id: UserId; readonly account_id: AccountId };
  readonly organizations: { readonly id: OrganizationId; readonly account_id: AccountId };
}

/** Builds and runs statements on an extension's tables, on any connection of the pool or in a transaction. */
export type ExtensionQueries<Tables> = Kysely<Tables & CoreTables>;

/** Writes an audit event in the transaction of the change that it describes. */
export type RecordEvent = (event: AuditEvent) => Promise<void>;

/**
 * The database for an extension. The statements of the extension use at most three connections of the pool at the same
 * time. They throw an `UnavailableFault` while the extension's tables are not migrated.
 */
export interface ExtensionDatabase<Tables> {
  /**
   * Builds statements. Name tables with their schema, such as `shift_notes.shift_notes`. A SELECT that is built here
   * fails on a standby, which could answer with old data. A SELECT in plain SQL fails on a standby only with the
   * condition `onPrimary`.
   */
  readonly queries: ExtensionQueries<Tables>;

  /** A condition for reads in plain SQL. It fails on a standby, which could answer with data of any age. */
  readonly onPrimary: RawBuilder<SqlBool>;

  /**
   * Returns a function that reads a row by id. A server answers from memory until the row changes; a command always
   * reads the database. Use it for rows that are read much more often than they are written. A migration must make the
   * table notify its changes (`notifyChanges`). `read` must return frozen rows. If there is no row with an id, the next
   * call reads the database again.
   */
  remember<Id extends number | string, Row extends object>(
    table: keyof Tables & string,
    read: (id: Id) => Promise<Row | undefined>,
  ): (id: Id) => Promise<Row | undefined>;

  /**
   * Waits for a read. Throws an `UnavailableFault` if the read takes longer than a request may wait for the database.
   */
  inTime<T>(read: Promise<T>): Promise<T>;

  /** Makes a change and records its audit events in one transaction (READ COMMITTED). */
  change<T>(work: (tx: ExtensionQueries<Tables>, record: RecordEvent) => Promise<T>): Promise<T>;
}
