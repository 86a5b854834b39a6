import { type DialectAdapter, PostgresAdapter } from 'kysely';
import { ReadCommittedDialect } from './read-committed.ts';

/**
 * Takes no lock to migrate. Kysely's lock belongs to a session: a pooler in transaction mode may let another session
 * release it, and the next migration would wait for it. `whileLocked` provides the exclusion instead.
 */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** A PostgreSQL dialect for a migrator that runs under `whileLocked`. */
export class LocklessDialect extends ReadCommittedDialect {
  override createAdapter(): DialectAdapter {
    return new LocklessAdapter();
  }
}
