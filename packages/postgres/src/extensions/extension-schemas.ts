import { err, ok, UnavailableFault } from '@gatehouse/domain';
import type { AuditEvent } from '@gatehouse/domain/audit';
import type {
  BelongingCount,
  ExtensionSchemas,
  LostBelongings,
  TableRows,
} from '@gatehouse/domain/extensions';
import { createBackoff } from '@gatehouse/domain/time';
import { type Belonging, schemaOf } from '@gatehouse/extension-kit/postgres';
import { type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { LockTimeout } from '../database/faults.ts';
import { BACKOFF, LOCK_TIMEOUT_MS, MAX_TRIES, MIGRATION_LOCK } from '../database/migrator/migrate.ts';
import { liftTimeLimits, whileLocked } from '../database/migrator/while-locked.ts';
import { pause } from '../database/pause.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { EXTENSION_TABLE, extensionStates, type StoredExtension } from './extension-migrations.ts';

const NOT_FOUND = err({ code: 'extension_schema_not_found' } as const);

/** Inspects and drops the schemas of extensions in PostgreSQL. `load` resolves with the installed extensions. */
export function createPostgresExtensionSchemas(
  database: Database,
  load: () => Promise<readonly StoredExtension[]>,
): ExtensionSchemas {
  /**
   * Lists the tables whose rows belong to organizations or accounts, of each extension whose migrations are applied.
   */
  async function belongings() {
    const extensions = await load();
    const states = await extensionStates(database, extensions);
    return extensions
      .filter((_, index) => states[index] !== 'behind')
      .flatMap(({ name, belongings }) => belongings.map((belonging) => ({ extension: name, belonging })));
  }

  /** Counts the rows of each of these tables, and leaves out tables without rows. */
  async function countEach(countOf: (belonging: Belonging) => Promise<number>) {
    const counts: BelongingCount[] = [];
    for (const { belonging } of await belongings()) {
      const count = await countOf(belonging);
      if (count > 0) counts.push({ count, one: belonging.one, several: belonging.several });
    }
    return counts;
  }

  return {
    async states() {
      const extensions = await load();
      const states = await extensionStates(database, extensions);
      return extensions.map(({ name }, index) => ({ name, state: states[index] ?? 'behind' }));
    },

    countBelongings: (id) =>
      countEach(async ({ table, column, belongsTo }) =>
        belongsTo === 'organization'
          ? countWhere(database.queries, table, sql`${sql.ref(column)} = ${id}`)
          : 0,
      ),

    countBelongingsOfAccount: (id, limit) =>
      countEach(async ({ table, column, belongsTo }) => {
        const parents =
          belongsTo === 'account' ? sql`${id}` : sql`select id from organizations where account_id = ${id}`;
        const rows = sql`select from ${sql.table(table)} where ${sql.ref(column)} in (${parents}) limit ${limit}`;
        return countRows(database.queries, sql`(${rows}) as counted`);
      }),

    async countLost() {
      const lost: LostBelongings[] = [];
      for (const { extension, belonging } of await belongings()) {
        const { belongsTo, one, several } = belonging;
        const count = await countLostRows(database.queries, belonging);
        if (count > 0) lost.push({ extension, belongsTo, count, one, several });
      }
      return lost;
    },

    async findTables(name) {
      const schema = schemaNamed(name);
      if (schema === undefined) return NOT_FOUND;
      // Counting the rows of a large table can take longer than the time limit of other statements.
      const untimed = database.openWithoutTimeout();
      const tables = await tablesOf(untimed, schema).finally(() => untimed.destroy());
      return tables ? ok(tables) : NOT_FOUND;
    },

    async drop(name, audit) {
      const schema = schemaNamed(name);
      if (schema === undefined) return NOT_FOUND;
      return whileLocked(database, MIGRATION_LOCK, async (untimed) => {
        const tables = await tablesOf(untimed, schema);
        if (!tables) return NOT_FOUND;
        await dropSchema(untimed, schema, audit(tables));
        return ok(tables);
      });
    },
  };
}

/** Returns the schema of the extension; undefined if the name is not valid for an extension. */
function schemaNamed(extension: string): string | undefined {
  try {
    return schemaOf(extension);
  } catch {
    return undefined;
  }
}

/**
 * Lists the tables of an extension's schema, without its migration tables. Returns undefined if the schema does not
 * belong to an extension.
 */
async function tablesOf(queries: Queries, schema: string): Promise<readonly TableRows[] | undefined> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class
    where ${onPrimary} and relnamespace = to_regnamespace(${schema})
    and relkind in ('r', 'p') and not relispartition order by relname`.execute(queries);
  const names = rows.map(({ table }) => table);
  if (!names.includes(EXTENSION_TABLE)) return undefined;
  const tables: TableRows[] = [];
  for (const table of names) {
    if (table === EXTENSION_TABLE || table === `${EXTENSION_TABLE}_lock`) continue;
    tables.push({ table, rows: await countWhere(queries, `${schema}.${table}`, sql`true`) });
  }
  return tables;
}

function countWhere(queries: Queries, table: string, condition: ReturnType<typeof sql>) {
  return countRows(queries, sql.table(table), condition);
}

async function countRows(queries: Queries, from: ReturnType<typeof sql>, condition = sql`true`) {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${from} where ${onPrimary} and ${condition}`.execute(queries);
  return rows[0]?.count ?? 0;
}

/**
 * Counts rows whose organization or account no longer exists. If the table has a foreign key, there can be no such
 * rows, and nothing is read.
 */
async function countLostRows(queries: Queries, { table, column, belongsTo }: Belonging): Promise<number> {
  const parents = `${belongsTo}s`;
  const { rows } = await sql<{ isKept: SqlBool }>`
    select exists (
      select from pg_constraint join pg_attribute as part on part.attrelid = conrelid and part.attnum = any (conkey)
      where contype = 'f' and convalidated and conrelid = to_regclass(${table})
      and confrelid = to_regclass(${parents}) and part.attname = ${column}
    ) as "isKept" where ${onPrimary}`.execute(queries);
  if (rows[0]?.isKept) return 0;
  const child = sql.ref(`${table}.${column}`);
  return countWhere(
    queries,
    table,
    sql`not exists (select from ${sql.table(parents)} as parent where parent.id = ${child})`,
  );
}

/**
 * Drops a schema with everything in it, and writes the audit event. Dropping a foreign key locks the table that the key
 * refers to, and requests for that table would wait. Therefore each wait for a lock is short, and is repeated as in a
 * migration.
 */
async function dropSchema(queries: Queries, schema: string, event: AuditEvent): Promise<void> {
  const backoff = createBackoff(BACKOFF);
  for (let tries = 1; ; tries += 1) {
    try {
      return await queries.transaction().execute(async (tx) => {
        await liftTimeLimits(tx);
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
        await tx.schema.dropSchema(schema).cascade().execute();
        await insertAuditEvents(tx, [event]);
      });
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      if (tries === MAX_TRIES) {
        throw new UnavailableFault(
          `the schema ${schema} was not dropped, because after ${MAX_TRIES} tries another session still holds a lock on its tables: end the transaction of that session or wait for its end, and try again`,
        );
      }
      await pause(backoff.next());
    }
  }
}
