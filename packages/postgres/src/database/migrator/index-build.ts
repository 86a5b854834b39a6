import type { MigrationConnection, MigrationStep } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { LOCK_WAIT_MS } from '../pool/connection-pool.ts';
import { backendOf, describeHolders, reportLongWait } from './lock-holders.ts';

/** An index that a step of a migration builds, and a statement that builds the index while writes go on. */
type IndexBuild = NonNullable<ReturnType<typeof indexBuildOf>>;

/**
 * The largest size of a table whose index is built in a transaction, while writes of the table wait. For a table of
 * this size, they wait a few tenths of a second.
 */
const SMALL_TABLE_BYTES = 32 * 2 ** 20;

/** Matches SQL that builds one index and does nothing else, except that it may raise `maintenance_work_mem` before. */
const BUILDS =
  /^\s*(?:set local maintenance_work_mem = '\w+';\s*)?create (unique )?index if not exists (\w+)\s+on (\w+)\s*([^;]+?);?\s*$/i;

/** Returns the index that a step builds; undefined if the step does anything else. */
export function indexBuildOf(step: MigrationStep, db: MigrationConnection) {
  const [match, unique = '', name = '', table = '', rest = ''] =
    BUILDS.exec(step.statement?.compile(db).sql ?? '') ?? [];
  if (match === undefined) return undefined;
  return {
    name,
    table,
    statement: `create ${unique}index concurrently if not exists ${name} on ${table} ${rest}`,
  };
}

/** Returns whether the table is so large that building the index in a transaction would make writes wait for long. */
export async function isLarge({ table }: IndexBuild, db: MigrationConnection): Promise<boolean> {
  const { rows } = await sql<{ large: boolean }>`
    select coalesce(pg_relation_size(to_regclass(${table})), 0) > ${sql.lit(SMALL_TABLE_BYTES)} as large`.execute(
    db,
  );
  return rows[0]?.large === true;
}

/**
 * Builds an index outside a transaction, while reads and writes go on. The build waits, without a time limit, for older
 * transactions to end. No request waits for the build. An unfinished index of an earlier attempt is dropped before the
 * build.
 *
 * During the build, the session has no time limit for locks. Afterwards the limit is set again, because a connection
 * pooler may give the session to another client. The session has no other time limits.
 */
export async function buildConcurrently(
  build: IndexBuild,
  db: MigrationConnection,
  database: Database,
  onWaiting: ((text: string) => void | Promise<void>) | undefined,
): Promise<void> {
  if (await isUnfinished(build, db)) await sql`drop index concurrently ${sql.id(build.name)}`.execute(db);
  await sql`set lock_timeout = 0`.execute(db);
  const stopReporting = reportLongWait(database, {
    pid: await backendOf(db),
    report: (holders) =>
      onWaiting?.(
        `building the index ${build.name} is waiting for the end of a transaction of ${describeHolders(holders)}`,
      ),
  });
  await sql`${sql.raw(build.statement)}`.execute(db).finally(stopReporting);
  await sql`set lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(db);
}

async function isUnfinished({ name }: IndexBuild, db: MigrationConnection): Promise<boolean> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db);
  return rows.length > 0;
}
