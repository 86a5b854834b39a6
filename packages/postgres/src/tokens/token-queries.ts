import { formatInstantOrNull } from '@gatehouse/domain/time';
import type { TokenId, TokenQuery, TokenRepository } from '@gatehouse/domain/tokens';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { onPrimary } from '../database/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { findUsage } from '../usage/usage-reading.ts';
import { idleTokens, tokenConditions } from './token-conditions.ts';
import { selectTokenDetails, toTokenDetails } from './token-records.ts';

/** The part of the repository that reads tokens with all their details, for administration. */
export function tokenReading(
  db: Queries,
): Pick<TokenRepository, 'find' | 'findWithRotation' | 'findUsage' | 'list' | 'count'> {
  return {
    async find(id) {
      // tokens_pkey, token_usage_pkey, token_addresses_pkey, tokens_successor, and those of a record
      const row = await selectTokenDetails(db).where('tokens.id', '=', id).executeTakeFirst();
      return row && toTokenDetails(row);
    },

    async findWithRotation(id) {
      // tokens_pkey twice, and tokens_successor
      const ids = sql<TokenId>`(
        select ${id}::uuid
        union all select replaces from tokens where id = ${id} and replaces is not null
        union all select id from tokens where replaces = ${id} and revoked_at is null
      )`;
      const rows = await selectTokenDetails(db).where('tokens.id', 'in', ids).execute();
      const found = rows.map(toTokenDetails);
      return found.some((token) => token.id === id) ? found : [];
    },

    findUsage: (id) => findUsage(db, id),

    list: (query) => listTokenDetails(db, query),

    async count(query) {
      const { unusedSince } = query;
      if (unusedSince === undefined) return count(db, sql`tokens`, query, tokenConditions(query));
      return db.transaction().execute(async (tx) => {
        // Several workers would hash all tokens, for twice as long as one takes to go through two indexes in their order.
        await sql`set local max_parallel_workers_per_gather = 0`.execute(tx);
        const idle = sql`${idleTokens(unusedSince)} join tokens using (id)`;
        return count(tx, idle, query, tokenConditions(query, { idle: true }));
      });
    },
  };
}

/** One page of tokens: first which they are, so that only those are joined with what belongs to them. */
async function listTokenDetails(db: Queries, query: TokenQuery) {
  const { after, limit } = query;
  // tokens_expires_at, or tokens_pkey
  const order = query.expiringBefore === undefined ? sql`tokens.id` : sql`tokens.expires_at, tokens.id`;
  let page = db.selectFrom('tokens').select('tokens.id').orderBy(order).limit(limit);
  for (const condition of tokenConditions(query)) page = page.where(condition);
  if (after) {
    const { id, expiresAt } = after;
    const last =
      query.expiringBefore === undefined
        ? sql`${id}::uuid`
        : sql`${formatInstantOrNull(expiresAt)}::timestamptz, ${id}::uuid`;
    page = page.where(sql<SqlBool>`(${order}) > (${last})`);
  }
  const rows = await selectTokenDetails(db).where('tokens.id', 'in', page).orderBy(order).execute();
  return rows.map(toTokenDetails);
}

async function count(
  db: Queries,
  tokens: RawBuilder<unknown>,
  { limit }: Pick<TokenQuery, 'limit'>,
  conditions: readonly RawBuilder<SqlBool>[],
): Promise<number> {
  const all = sql.join([onPrimary, ...conditions], sql` and `);
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from ${tokens} where ${all} limit ${limit}) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}
