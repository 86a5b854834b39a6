import {
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';

class ReadCommittedDriver extends PostgresDriver {
  override beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel = 'read committed' } = settings;
    return super.beginTransaction(connection, { ...settings, isolationLevel });
  }
}

/**
 * A PostgreSQL dialect whose transactions are READ COMMITTED, whatever the database's default, also behind a connection
 * pooler. In REPEATABLE READ, a change that waited for a lock would not see what the transaction before it wrote: the
 * end of a user's tokens would miss the one that was just signed in.
 */
export class ReadCommittedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ReadCommittedDriver(this.#config);
  }
}
