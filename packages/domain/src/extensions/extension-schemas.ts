import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { SchemaState } from '../health/probes.ts';
import type { OrganizationId } from '../organizations/organization.ts';
import type { Result } from '../result.ts';

export interface ExtensionState {
  readonly name: string;
  readonly state: SchemaState;
}

/** A table of an extension, and the number of its rows. */
export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** The number of an extension's rows of one kind that belong to an organization or an account; never 0. */
export interface BelongingCount {
  readonly count: number;
  /** The noun for one row, such as `shift note`; `several` is the plural. */
  readonly one: string;
  readonly several: string;
}

/** The number of an extension's rows of one kind whose organization or account does not exist. */
export interface LostBelongings extends BelongingCount {
  readonly extension: string;
  readonly belongsTo: 'account' | 'organization';
}

export type ExtensionSchemaNotFound = { readonly code: 'extension_schema_not_found' };

/** Gives access to the tables of extensions. Implementations pass `extensionSchemasContract`. */
export interface ExtensionSchemas {
  /**
   * Returns the state of the schema of each extension of this installation. An extension that was never migrated is
   * `behind`.
   */
  states(): Promise<readonly ExtensionState[]>;

  /**
   * Counts the rows of extensions that belong to an organization. Each extension declares which of its rows belong to
   * organizations. Leaves out extensions whose schema is behind.
   */
  countBelongings(id: OrganizationId): Promise<readonly BelongingCount[]>;

  /**
   * Counts the rows of extensions that belong to an account or to one of the account's organizations, each count up to
   * `limit`. Leaves out extensions whose schema is behind.
   */
  countBelongingsOfAccount(id: AccountId, limit: number): Promise<readonly BelongingCount[]>;

  /**
   * Counts the rows of extensions whose organization or account does not exist. Leaves out extensions whose schema is
   * behind.
   */
  countLost(): Promise<readonly LostBelongings[]>;

  /** Returns the tables of a schema, sorted by name. The extension need not be installed. */
  findTables(name: string): Promise<Result<readonly TableRows[], ExtensionSchemaNotFound>>;

  /**
   * Drops the schema of an extension with all its tables and rows, and stores the event that `audit` returns. Never
   * drops a schema that does not belong to an extension.
   */
  drop(
    name: string,
    audit: (dropped: readonly TableRows[]) => AuditEvent,
  ): Promise<Result<readonly TableRows[], ExtensionSchemaNotFound>>;
}
