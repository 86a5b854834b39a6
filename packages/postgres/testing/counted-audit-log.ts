import type { AuditQuery } from '@gatehouse/domain/audit';
import { Kysely } from 'kysely';
import pg from 'pg';
import { createPostgresAuditLog } from '../src/audit/audit-log.ts';
import { createDialect } from '../src/database/dialect.ts';
import type { Schema } from '../src/database/schema.ts';
import { openPool } from './open-pool.ts';
import { openTestDatabase } from './open-test-store.ts';
import { vacuumAll } from './vacuum-all.ts';

/** After this many runs PostgreSQL has decided whether it plans for the values or for any. */
const EXECUTIONS = 6;

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Opens the audit log of a private database, and counts what its statements read. */
export async function openCountedAuditLog() {
  const { url, database, close } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sent: Statement[] = [];
  const queries = new Kysely<Schema>({
    dialect: createDialect(openPool(url)),
    log: ({ query }) => void sent.push(query),
  });
  const log = createPostgresAuditLog({ ...database, queries });

  /** Returns the number of pages of the database that the statement touches once everything is warm. */
  async function pagesOf({ sql, parameters }: Statement): Promise<number> {
    const values = parameters.map((each) =>
      pg.escapeLiteral(Array.isArray(each) ? arrayOf(each) : String(each)),
    );
    await client.query(`deallocate all; prepare asked as ${sql}`);
    const execute = `execute asked (${values.join(', ')})`;
    for (let count = 0; count < EXECUTIONS; count += 1) await client.query(execute);
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${execute}`);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }

  return {
    client,
    vacuum: () => vacuumAll(client),
    /** Returns the pages of the database that each statement of the list touches. */
    async pagesTouched(query: AuditQuery): Promise<readonly number[]> {
      sent.length = 0;
      await log.list(query);
      const pages: number[] = [];
      for (const statement of sent.splice(0)) pages.push(await pagesOf(statement));
      return pages;
    },
    async close() {
      await queries.destroy();
      await client.end();
      await close();
    },
  };
}

/** Writes an array as PostgreSQL reads it. JSON escapes quotes and backslashes in the same way. */
const arrayOf = (values: readonly unknown[]) =>
  `{${values.map((each) => JSON.stringify(String(each))).join(',')}}`;
