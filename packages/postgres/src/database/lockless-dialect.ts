import { type DialectAdapter, PostgresAdapter, PostgresDialect } from 'kysely';

/**
 * Takes no lock of its own to migrate. Kysely's belongs to a session: a connection pooler in transaction mode may
 * have another session release it, and the next migration would wait for it. `whileLocked` keeps others away.
 */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** PostgreSQL for a migrator that runs under `whileLocked`. */
export class LocklessDialect extends PostgresDialect {
  override createAdapter(): DialectAdapter {
    return new LocklessAdapter();
  }
}
