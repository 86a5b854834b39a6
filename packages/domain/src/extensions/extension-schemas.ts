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
  /** Returns the state of each extension of this installation; `behind` for one that was never migrated. */
  states(): Promise<readonly ExtensionState[]>;

  /** Counts what belongs to an organization, by the declarations of the extensions whose schema is not behind. */
  countBelongings(id: OrganizationId): Promise<readonly BelongingCount[]>;

  /** Counts what belongs to an account or to one of its organizations, in the same way, each up to the limit. */
  countBelongingsOfAccount(id: AccountId, limit: number): Promise<readonly BelongingCount[]>;

  /** Counts what belongs to organizations and accounts that do not exist, in the same way. */
  countLost(): Promise<readonly LostBelongings[]>;

  /** Returns the tables of a schema, sorted by name. The extension need not be installed. */
  findTables(name: string): Promise<Result<readonly TableRows[], ExtensionSchemaNotFound>>;

  /** Drops the schema of an extension with everything in it, and writes the event. Never drops any other schema. */
  drop(
    name: string,
    audit: (dropped: readonly TableRows[]) => AuditEvent,
  ): Promise<Result<readonly TableRows[], ExtensionSchemaNotFound>>;
}
