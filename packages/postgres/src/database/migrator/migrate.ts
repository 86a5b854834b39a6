import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import { describeFinding, type UnfitProperty } from '@gatehouse/domain/health';
import { createBackoff } from '@gatehouse/domain/time';
import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as migrations from '../../migrations/index.ts';
import type { Database } from '../database.ts';
import { LockTimeout } from '../faults.ts';
import { type Pause, pause } from '../pause.ts';
import { onPrimary } from '../primary/primary-only.ts';
import type { Queries } from '../schema.ts';
import { holdOffMaintenance } from './hold-off-maintenance.ts';
import { backendOf, describeHolders, type LockHolder, watchLockHolders } from './lock-holders.ts';
import { noProgress, type Progress, runSteps } from './run-steps.ts';
import { CORE_SEQUENCE, type MigrationSequence } from './schema-state.ts';
import { unfitProperties } from './unfit-properties.ts';
import { liftTimeLimits, whileLocked } from './while-locked.ts';

export interface MigrateOptions {
  /** Called after each migration that was applied. */
  readonly onApplied?: (name: string) => void | Promise<void>;
  /**
   * Called when a migration did not get a lock in time and will be retried, or when another session has held the
   * migration lock for a second. The text is one line for the user.
   */
  readonly onWaiting?: (text: string) => void | Promise<void>;
  /** Called before the migrations, once for each property of the database that will cause problems. */
  readonly onUnfit?: (property: UnfitProperty) => void | Promise<void>;
  /** Waits between two attempts of a migration. */
  readonly pause?: Pause;
}

/**
 * The number of the advisory lock that is held while a schema is changed. An arbitrary number that no other lock uses.
 */
export const MIGRATION_LOCK = 7_283_305_127;

/**
 * The longest wait of a migration for a lock, in milliseconds. While a migration waits for the lock of a table, every
 * request for that table waits behind the migration, and requests give up a read after 300 ms.
 */
export const LOCK_TIMEOUT_MS = 200;

/** The number of attempts for one transaction of a migration. All attempts take about 45 seconds. */
export const MAX_TRIES = 10;
export const BACKOFF = { firstMs: 500, longestMs: 10_000, random: Math.random };

/**
 * Brings the schema up to date, and returns the names of the applied migrations. Each migration, or each of its steps,
 * has a transaction of its own. A transaction that waits for a lock longer than requests can wait is rolled back and
 * retried. If an autovacuum held the lock, the retry waits until the autovacuum has ended. After the last retry, an
 * `UnavailableFault` names the sessions that hold the lock. Concurrent calls wait for each other. Throws a `SetupFault`
 * if the database is empty and has an unfit property, such as an encoding other than UTF-8.
 */
export async function migrateToLatest(
  database: Database,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  await inspect(database, options);
  return runMigrations(database, { ...CORE_SEQUENCE, migrations }, options);
}

/**
 * Reports each unfit property of the database, such as an encoding other than UTF-8. If the database is empty, throws a
 * `SetupFault` for the property before anything is created. A changed collation is only reported, even in an empty
 * database.
 */
async function inspect({ queries }: Database, { onUnfit }: MigrateOptions): Promise<void> {
  for (const property of await unfitProperties(queries)) {
    const { message, remedy } = describeFinding(property);
    if (property.code !== 'database_collation_changed' && (await isEmpty(queries))) {
      throw new SetupFault(`${message} ${remedy}`);
    }
    await onUnfit?.(property);
  }
}

async function isEmpty(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ isEmpty: boolean }>`
    select to_regclass(${CORE_SEQUENCE.table}) is null as "isEmpty" where ${onPrimary}`.execute(queries);
  return rows[0]?.isEmpty === true;
}

/**
 * Applies the missing migrations of a sequence, with the transactions and retries that `migrateToLatest` describes.
 * Returns the names of the migrations that it applied.
 */
export async function runMigrations(
  database: Database,
  sequence: MigrationSequence,
  { onApplied, onWaiting, pause: between = pause }: MigrateOptions,
): Promise<readonly string[]> {
  const migrate = async (db: Queries, stillLocked: () => Promise<void>) => {
    const applied: string[] = [];
    const backoff = createBackoff(BACKOFF);
    let progress = noProgress();
    for (let tries = 1; ; ) {
      // Checks that the migration lock is still held. A failover loses the lock, and may lose committed migrations.
      await stillLocked();
      const begun = { ...progress };
      const { next, timedOut, holders } = await runNext(database, db, sequence, progress, onWaiting);
      if (next === undefined) return applied;
      const name = sequence.label === undefined ? next : `${sequence.label} ${next}`;
      if (!timedOut) {
        applied.push(name);
        await onApplied?.(name);
        progress = noProgress();
        tries = 1;
        backoff.reset();
        continue;
      }
      if (progress.step !== begun.step || progress.position !== begun.position) {
        tries = 1;
        backoff.reset();
      }
      const held = `held by ${describeHolders(holders)}`;
      if (tries === MAX_TRIES) {
        throw new UnavailableFault(
          `the migration ${name} was not applied, because after ${MAX_TRIES} tries a lock that it needs is still ${held}: end that transaction or wait for its end, and migrate again`,
        );
      }
      tries += 1;
      progress.maintained = [
        ...new Set([...progress.maintained, ...holders.flatMap(({ maintains }) => maintains)]),
      ];
      await onWaiting?.(
        `the migration ${name} is waiting for a lock ${held}; trying again (${tries} of ${MAX_TRIES})`,
      );
      await between(backoff.next());
    }
  };
  const onLongWait = (holders: readonly LockHolder[]) =>
    onWaiting?.(`waiting for the migration lock held by ${describeHolders(holders)}`);
  // Kysely's own lock is not used: kysely takes that lock only after it has created its tables, and the lock belongs to
  // a session, which a connection pooler may give to another client.
  return whileLocked(database, MIGRATION_LOCK, migrate, { onLongWait });
}

/**
 * Runs the next migration, if there is one, in a transaction with a limited wait for locks. A migration with steps runs
 * in several such transactions. Returns the name of the migration, whether it was rolled back because it did not get a
 * lock in time, and the sessions for whose locks it waited last.
 */
async function runNext(
  database: Database,
  db: Queries,
  sequence: MigrationSequence,
  progress: Progress,
  onWaiting: MigrateOptions['onWaiting'],
) {
  const { migrations: all, schema, table } = sequence;
  let backend: number | undefined;
  const limit = async (transaction: MigrationConnection) => {
    // Behind a connection pooler, each transaction may have another backend.
    backend = await backendOf(transaction);
    await liftTimeLimits(transaction);
    await holdOffMaintenance(transaction, progress.maintained);
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
  };
  const limited = Object.entries(all).map(([name, migration]): [string, Migration] => [
    name,
    {
      async up(connection) {
        if ('steps' in migration) {
          backend = await backendOf(connection);
          await runSteps(migration.steps, progress, connection, { database, prepare: limit, onWaiting });
        } else {
          await limit(connection);
          await migration.up(connection);
        }
      },
    },
  ]);
  const provider = { getMigrations: async () => Object.fromEntries(limited) };
  const migrator = new Migrator({
    db,
    provider,
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const next = (await migrator.getMigrations()).find(({ executedAt }) => executedAt === undefined);
  const disableTransactions = next !== undefined && 'steps' in (all[next.name] ?? {});
  const watch = watchLockHolders(database, () => backend);
  const { error, results = [] } = await migrator.migrateUp({ disableTransactions }).finally(watch.stop);
  const [result] = results;
  // If there is no result, the lock time-out happened outside a migration, for example because the role or the database
  // limits each wait for a lock. Then there is no retry.
  if (error !== undefined && !(error instanceof LockTimeout && result)) throw error;
  return { next: result?.migrationName, timedOut: error !== undefined, holders: watch.seen() };
}
