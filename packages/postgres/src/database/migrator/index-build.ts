import type { MigrationConnection, MigrationStep } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { pause } from '../pause.ts';
import { LOCK_WAIT_MS } from '../pool/connection-pool.ts';
import { describeHolders, lockHoldersOf } from './lock-holders.ts';

/** An index that a step builds, and the statement that builds it while writes go on. */
interface IndexBuild {
  readonly name: string;
  readonly table: string;
  readonly statement: string;
}

/** The size of a small table. Its index takes a few tenths of a second to build, and requests may wait that long. */
const SMALL_TABLE_BYTES = 32 * 2 ** 20;
const WATCH_MS = 1_000;

/** A statement that builds one index, perhaps with more memory, and does nothing else. */
const BUILDS =
  /^\s*(?:set local maintenance_work_mem = '\w+';\s*)?create (unique )?index if not exists (\w+)\s+on (\w+)\s*([^;]+?);?\s*$/i;

/** Returns the index that a step builds; undefined if the step does anything else. */
export function indexBuildOf(step: MigrationStep, db: MigrationConnection): IndexBuild | undefined {
  const [match, unique = '', name = '', table = '', rest = ''] =
    BUILDS.exec(step.statement?.compile(db).sql ?? '') ?? [];
  if (match === undefined) return undefined;
  return {
    name,
    table,
    statement: `create ${unique}index concurrently if not exists ${name} on ${table} ${rest}`,
  };
}

/** Whether writes to the table would wait for long if the index were built in a transaction. */
export async function isLarge({ table }: IndexBuild, db: MigrationConnection): Promise<boolean> {
  const { rows } = await sql<{ large: boolean }>`
    select coalesce(pg_relation_size(to_regclass(${table})), 0) > ${sql.lit(SMALL_TABLE_BYTES)} as large`.execute(
    db,
  );
  return rows[0]?.large === true;
}

/**
 * Builds an index outside a transaction, while reads and writes go on. It waits, without a limit, for transactions that
 * are older than it, and no request waits behind it. An index that an earlier attempt left unfinished is dropped first.
 *
 * The session has no time limits but that of locks, which this lifts and sets again: behind a connection pooler another
 * client gets the session later.
 */
export async function buildConcurrently(
  build: IndexBuild,
  db: MigrationConnection,
  database: Database,
  onWaiting: ((text: string) => void | Promise<void>) | undefined,
): Promise<void> {
  if (await isUnfinished(build, db)) await sql`drop index concurrently ${sql.id(build.name)}`.execute(db);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const done = new AbortController();
  // A failed report does not end the build.
  reportWait(build, rows[0]?.pid ?? 0, database, onWaiting, done.signal).catch(() => undefined);
  await sql`set lock_timeout = 0`.execute(db);
  await sql`${sql.raw(build.statement)}`.execute(db).finally(() => done.abort());
  await sql`set lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(db);
}

async function isUnfinished({ name }: IndexBuild, db: MigrationConnection): Promise<boolean> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db);
  return rows.length > 0;
}

/** Names once the sessions for which the build waits, if it waits for a second. */
async function reportWait(
  { name }: IndexBuild,
  pid: number,
  database: Database,
  onWaiting: ((text: string) => void | Promise<void>) | undefined,
  done: AbortSignal,
): Promise<void> {
  let before = '';
  while (onWaiting !== undefined && !done.aborted) {
    await pause(WATCH_MS, done);
    const holders = await lockHoldersOf(database, pid);
    const now = holders.length === 0 ? '' : describeHolders(holders);
    if (done.aborted) return;
    if (now !== '' && before !== '')
      return onWaiting(`the index ${name} is waiting for a transaction of ${now}`);
    before = now;
  }
}
