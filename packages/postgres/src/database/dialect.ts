import type { DatabaseConnection, Dialect, PostgresPool, TransactionSettings } from 'kysely';
import { PostgresAdapter, PostgresDriver, PostgresIntrospector } from 'kysely';
import { PrimaryOnlyQueryCompiler } from './primary/primary-only.ts';

/**
 * Takes no lock to migrate. Kysely's lock belongs to a session: a pooler in transaction mode may let another session
 * release it, and the next migration would wait for it. `whileLocked` provides the exclusion instead.
 */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/**
 * Begins transactions as READ COMMITTED, whatever the database's default, also behind a connection pooler. In REPEATABLE
 * READ, a change that waited for a lock would not see what the transaction before it wrote: the end of a user's tokens
 * would miss the one that was just signed in.
 */
class ReadCommittedDriver extends PostgresDriver {
  override beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel = 'read committed' } = settings;
    return super.beginTransaction(connection, { ...settings, isolationLevel });
  }
}

/** PostgreSQL's dialect for kysely on this pool, whose SELECTs fail on standbys. */
export function createDialect(pool: PostgresPool): Dialect {
  return {
    createAdapter: () => new LocklessAdapter(),
    createDriver: () => new ReadCommittedDriver({ pool }),
    createQueryCompiler: () => new PrimaryOnlyQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}
