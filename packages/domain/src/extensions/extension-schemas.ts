import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { SchemaState } from '../health/probes.ts';
import type { OrganizationId } from '../organizations/organization.ts';
import type { Result } from '../result.ts';

export interface ExtensionState {
  readonly name: string;
  readonly state: SchemaState;
}

/** A table of an extension, and how many rows it has. */
export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** The number of rows of an extension that belong to an organization or account; never 0. */
export interface BelongingCount {
  readonly count: number;
  /** The noun for one row, such as `shift note`; `several` is the plural. */
  readonly one: string;
  readonly several: string;
}

/** Rows whose organization or account does not exist. */
export interface LostBelongings extends BelongingCount {
  readonly extension: string;
  readonly belongsTo: 'account' | 'organization';
}

export type ExtensionSchemaNotFound = { readonly code: 'extension_schema_not_found' };

/** The tables of extensions. Implementations pass `extensionSchemasContract`. */
export interface ExtensionSchemas {
  /**
   * Returns the state of the schema of each extension of this installation. An extension that was never migrated is `behind`.
   */
  states(): Promise<readonly ExtensionState[]>;

  /**
   * Counts the rows that belong to an organization. Extensions declare which of their rows do. Leaves out extensions whose
   * schema is behind.
   */
  countBelongings(id: OrganizationId): Promise<readonly BelongingCount[]>;

  /**
   * Counts the rows that belong to an account or to one of its organizations, like `countBelongings`, each count up to
   * the limit.
   */
  countBelongingsOfAccount(id: AccountId, limit: number): Promise<readonly BelongingCount[]>;

  /** Counts the rows that belong to organizations and accounts that do not exist, like `countBelongings`. */
  countLost(): Promise<readonly LostBelongings[]>;

  /** Returns the tables of a schema, sorted by name. The extension need not be installed. */
  findTables(name: string): Promise<Result<readonly TableRows[], ExtensionSchemaNotFound>>;

  /**
   * Drops the schema of an extension with all tables and rows in it, and writes the event. Never drops a schema that is not of
   * an extension.
   */
  drop(
    name: string,
    audit: (dropped: readonly TableRows[]) => AuditEvent,
  ): Promise<Result<readonly TableRows[], ExtensionSchemaNotFound>>;
}
