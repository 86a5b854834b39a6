import type { ExtensionDatabase } from './extension-database.ts';
import type { AnyMigration } from './migration-steps.ts';

/**
 * A table of an extension whose rows belong to an organization or an account, and are deleted with it. Its foreign key has
 * `on delete cascade`, because versions of Gatehouse without the extension may also delete the parent.
 */
export interface Belonging {
  /** The name of the table with its schema, such as `shift_notes.shift_notes`. */
  readonly table: string;
  readonly belongsTo: 'account' | 'organization';
  /** The column with the parent's id. */
  readonly column: string;
  /** The noun for one row, such as `shift note`; `several` is the plural. */
  readonly one: string;
  readonly several: string;
}

/** The storage of an extension. Its tables are in a PostgreSQL schema that is named after it. */
export interface PostgresLayer<Store> {
  /**
   * All migrations by the name of their file, such as `0001-init`. Migrations cannot be undone, and a released
   * migration must never be changed. The extension's schema exists before its first migration runs.
   */
  readonly migrations: Readonly<Record<string, AnyMigration>>;
  readonly belongings: readonly Belonging[];
  createStore(database: ExtensionDatabase<unknown>): Store;
}

/** Describes how an extension is stored. `Tables` is the type of the tables that `createStore` uses. */
export function definePostgresLayer<Tables, Store>(
  layer: Omit<PostgresLayer<Store>, 'createStore'> & {
    createStore(database: ExtensionDatabase<Tables>): Store;
  },
): PostgresLayer<Store> {
  // The cast is safe, because only the extension's own statements use `Tables`. No check compares it with the real
  // tables.
  return layer as unknown as PostgresLayer<Store>;
}
