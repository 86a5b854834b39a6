import type { TokenRepository } from '@gatehouse/domain/tokens';
import { Kysely } from 'kysely';
import pg from 'pg';
import { createDialect } from '../src/database/dialect.ts';
import type { Schema } from '../src/database/schema.ts';
import { tokenLists } from '../src/tokens/lists/token-lists.ts';
import { openTestDatabase } from './open-test-store.ts';

const PATIENCE_MS = 30_000;

export type Lists = Pick<TokenRepository, 'listOfAccount' | 'findNeedingAttention'>;

/** The lists of a private database, and what their statements read of it. */
export async function openCountedLists() {
  const { url, close } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sent: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const queries = new Kysely<Schema>({
    dialect: createDialect(pool),
    log: ({ query }) => void sent.push(query),
  });
  const lists = tokenLists(queries);

  /** The statements of a question. */
  async function statementsOf(ask: (lists: Lists) => Promise<unknown>) {
    sent.length = 0;
    await ask(lists);
    return sent.splice(0);
  }
  return {
    client,
    statementsOf,
    /**
     * Vacuums and analyzes everything, until index-only scans need no row: an autovacuum at the same moment keeps pages
     * from being marked as visible to all.
     */
    async vacuum(): Promise<void> {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        await client.query('vacuum analyze');
        const { rowCount } = await client.query(
          "select from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace and relallvisible < relpages",
        );
        if (rowCount === 0) return;
        if (performance.now() > deadline) throw new Error('pages stay invisible to some transaction');
      }
    },
    /** The pages of 8 KiB that its statements touch once everything is warm. */
    async pagesTouched(ask: (lists: Lists) => Promise<unknown>): Promise<number> {
      let pages = 0;
      for (const { sql, parameters } of await statementsOf(ask)) {
        const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [
          ...parameters,
        ]);
        const { Plan: plan } = rows[0]['QUERY PLAN'][0];
        pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      }
      return pages;
    },
    async close() {
      await queries.destroy();
      await client.end();
      await close();
    },
  };
}
