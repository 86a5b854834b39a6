import { UnavailableFault } from '@gatehouse/domain';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { LockTimeout } from './faults.ts';
import { describeHolders, type LockHolder, watchLockHolders } from './lock-holders.ts';
import { type Pause, pause } from './pause.ts';
import type { Schema } from './schema.ts';
import { whileLocked } from './while-locked.ts';

export interface MigrateOptions {
  /** A migration was applied, and stays. */
  readonly onApplied?: (name: string) => void | Promise<void>;
  /**
   * A migration did not get a lock in time and will be tried again, or another session has held the lock of all
   * migrations for a second. The text is one line for a person.
   */
  readonly onWaiting?: (text: string) => void | Promise<void>;
  /** Between two tries. */
  readonly pause?: Pause;
}

/** Any number that nothing else in the database locks. */
const MIGRATION_LOCK = 7_283_305_127;

/**
 * How long a migration waits for a lock, in milliseconds. Every request that needs the table waits behind it
 * meanwhile, and requests give a read up after 300.
 */
const LOCK_TIMEOUT_MS = 200;

/** Tries of one migration, about 45 seconds of them. */
const MAX_TRIES = 10;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

/** `migrateToLatest` of the migrations that are given. */
export async function runMigrations(
  database: Database,
  all: Readonly<Record<string, Migration>>,
  { onApplied, onWaiting, pause: between = pause }: MigrateOptions = {},
): Promise<readonly string[]> {
  const migrate = async (db: Kysely<Schema>) => {
    const applied: string[] = [];
    for (let tries = 1; ; ) {
      const { name, timedOut, holders } = await runNext(database, db, all);
      if (name === undefined) return applied;
      if (!timedOut) {
        applied.push(name);
        await onApplied?.(name);
        tries = 1;
        continue;
      }
      const held = `held by ${describeHolders(holders)}`;
      if (tries === MAX_TRIES) {
        throw new UnavailableFault(
          `the migration ${name} was not applied, because after ${MAX_TRIES} tries a lock that it needs is still ${held}: end that transaction or wait for it, and migrate again`,
        );
      }
      tries += 1;
      await onWaiting?.(`${name} is waiting for a lock ${held}; trying again (${tries} of ${MAX_TRIES})`);
      await between(backoffMs(tries));
    }
  };
  const onLongWait = (holders: readonly LockHolder[]) =>
    onWaiting?.(`waiting for the migration lock held by ${describeHolders(holders)}`);
  // Kysely's own lock is not taken: it comes only after kysely has made its tables, and belongs to a session.
  return whileLocked(database, MIGRATION_LOCK, migrate, { onLongWait });
}

interface Run {
  /** Undefined where no migration was left to run. */
  readonly name: string | undefined;
  /** It was rolled back, because it did not get a lock in time. */
  readonly timedOut: boolean;
  /** The sessions that it waited for last. */
  readonly holders: readonly LockHolder[];
}

/** Runs the next migration, if there is one, in a transaction with a limited wait for locks. */
async function runNext(
  database: Database,
  db: Kysely<Schema>,
  all: Readonly<Record<string, Migration>>,
): Promise<Run> {
  let backend: number | undefined;
  const limited = Object.entries(all).map(([name, { up }]): [string, Migration] => [
    name,
    {
      async up(transaction) {
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
        backend = rows[0]?.pid;
        await up(transaction);
      },
    },
  ]);
  const provider = { getMigrations: async () => Object.fromEntries(limited) };
  const watch = watchLockHolders(database, () => backend);
  const { error, results = [] } = await new Migrator({ db, provider }).migrateUp().finally(watch.stop);
  const [result] = results;
  // Without a result it failed outside of any migration: the role or the database may limit all waits for locks.
  if (error !== undefined && !(error instanceof LockTimeout && result)) throw error;
  return { name: result?.migrationName, timedOut: error !== undefined, holders: watch.seen() };
}

/** Twice as long after each try, and of that a random half to whole. */
function backoffMs(tries: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (tries - 2), MAX_BACKOFF_MS) * (0.5 + Math.random() / 2);
}
