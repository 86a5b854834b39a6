import type {
  DatabaseConnection,
  DatabaseMetadataOptions,
  Dialect,
  PostgresPool,
  TableMetadata,
  TransactionSettings,
} from 'kysely';
import { type Kysely, PostgresAdapter, PostgresDriver, PostgresIntrospector, sql } from 'kysely';
import { PrimaryOnlyQueryCompiler } from './primary/primary-only.ts';

/**
 * With this adapter, kysely takes no lock to migrate; `whileLocked` takes one instead. Kysely's lock belongs to a
 * session. A pooler in transaction mode may send the release of that lock to another session, and then the next
 * migration would wait for the lock for ever.
 */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/**
 * Begins transactions as READ COMMITTED, whatever the database's default, also behind a connection pooler. In REPEATABLE
 * READ, a change that waited for a lock would not see what the transaction before it wrote. For example, a change that ends
 * all tokens of a user would miss the token of a sign-in that has just been committed.
 */
class ReadCommittedDriver extends PostgresDriver {
  override beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel = 'read committed' } = settings;
    return super.beginTransaction(connection, { ...settings, isolationLevel });
  }
}

/**
 * Lists the tables without their columns for kysely's migrator, which checks three times per migration whether its own
 * tables exist. Reading the columns of all tables took two thirds of the time of migrating an empty database.
 */
class QuickIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    // Only the migrator sets this option, to find its own tables.
    if (!options?.withInternalKyselyTables) return super.getTables(options);
    const { rows } = await sql<Pick<TableMetadata, 'schema' | 'name'>>`
      select schemaname as schema, tablename as name from pg_tables`.execute(this.#db);
    return rows.map((table) => ({ ...table, isView: false, isForeign: false, columns: [] }));
  }
}

/**
 * PostgreSQL's dialect for kysely on this pool. SELECTs of this dialect fail on standbys, whose data may be outdated.
 */
export function createDialect(pool: PostgresPool): Dialect {
  return {
    createAdapter: () => new LocklessAdapter(),
    createDriver: () => new ReadCommittedDriver({ pool }),
    createQueryCompiler: () => new PrimaryOnlyQueryCompiler(),
    createIntrospector: (db) => new QuickIntrospector(db),
  };
}
