import type { AccountId } from '@gatehouse/domain/accounts';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import type { AccountTokenQuery, TokenRepository } from '@gatehouse/domain/tokens';
import { Kysely } from 'kysely';
import pg from 'pg';
import { createDialect } from '../src/database/dialect.ts';
import type { Schema } from '../src/database/schema.ts';
import { tokenLists } from '../src/tokens/lists/token-lists.ts';
import { tokenReading } from '../src/tokens/token-queries.ts';
import { openPool } from './open-pool.ts';
import { openTestDatabase } from './open-test-store.ts';
import { vacuumAll } from './vacuum-all.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z') as Instant;

/** Returns the time that many days after that of the lists. */
export const days = (count: number): Instant => addMilliseconds(NOW, count * 86_400_000);

/** The first page of the first account's active tokens. */
export const LIST: AccountTokenQuery = {
  accountId: 1 as AccountId,
  section: 'active',
  order: 'newest',
  limit: 50,
  countLimit: 1001,
  now: NOW,
};

export type Lists = Pick<TokenRepository, 'listOfAccount' | 'findNeedingAttention' | 'list' | 'count'>;

/** Reads a list that differs from `LIST`. */
export const listed =
  (parts: Partial<AccountTokenQuery>) =>
  ({ listOfAccount }: Lists) =>
    listOfAccount({ ...LIST, ...parts });

/** Reads the tokens that need attention, which stand above the list. */
export const needingAttention = ({ findNeedingAttention }: Lists) =>
  findNeedingAttention({
    ...LIST,
    countLimit: 101,
    expiringBefore: days(14),
    unusedSince: days(-90),
    limit: 3,
  });

/** Opens the lists of a private database, and counts what their statements read. */
export async function openCountedLists() {
  const { url, close } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sent: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const pool = openPool(url);
  const queries = new Kysely<Schema>({
    dialect: createDialect(pool),
    log: ({ query }) => void sent.push(query),
  });
  const lists: Lists = { ...tokenLists(queries), ...tokenReading(queries) };

  /** Returns the statements that a read sends. */
  async function statementsOf(ask: (lists: Lists) => Promise<unknown>) {
    sent.length = 0;
    await ask(lists);
    return sent.splice(0);
  }
  return {
    client,
    lists,
    statementsOf,
    vacuum: () => vacuumAll(client),
    /** Returns the number of 8 KiB pages that its statements touch once everything is warm, and where. */
    async pagesTouched(ask: (lists: Lists) => Promise<unknown>) {
      let pages = 0;
      const places: string[] = [];
      for (const { sql, parameters } of await statementsOf(ask)) {
        const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [
          ...parameters,
        ]);
        const { Plan: plan } = rows[0]['QUERY PLAN'][0];
        pages += pagesOf(plan);
        places.push(...placesOf(plan));
      }
      return { pages, places: places.join('\n') };
    },
    async close() {
      await queries.destroy();
      await client.end();
      await close();
    },
  };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Heap Fetches'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const pagesOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

/** Returns a line for each scan of a plan, to explain an unexpected number of pages. */
function placesOf(node: PlanNode): string[] {
  const { 'Relation Name': table, 'Index Name': index = 'no index', 'Heap Fetches': fetches = 0 } = node;
  const line = `${node['Node Type']} of ${table} by ${index}: ${node['Actual Rows']} rows, ${fetches} not visible, ${pagesOf(node)} pages`;
  return [...(table ? [line] : []), ...(node.Plans ?? []).flatMap(placesOf)];
}
