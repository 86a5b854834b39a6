import { formatInstantOrNull } from '@gatehouse/domain/time';
import {
  TOKEN_KINDS,
  type TokenDetails,
  type TokenId,
  type TokenQuery,
  type TokenRepository,
} from '@gatehouse/domain/tokens';
import type { UserRepository } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { and, moment } from '../database/statements/conditions.ts';
import { breaksRules } from '../token-policy/over-policy.ts';
import { findUsage } from '../usage/usage-reading.ts';
import { EXPIRY, isLiveAt } from './refusal-conditions.ts';
import { tokenConditions } from './token-conditions.ts';
import { selectTokenDetails, toTokenDetails } from './token-records.ts';
import { unusedTokens } from './unused-tokens.ts';

/** The part of the repository that reads tokens with all their details for administrators. */
export function tokenReading(
  db: Queries,
): Pick<TokenRepository, 'find' | 'findSeveral' | 'findWithRotation' | 'findUsage' | 'list' | 'count'> {
  return {
    async find(id) {
      // Uses the indexes tokens_pkey, token_usage_pkey, token_descriptions_pkey, token_addresses_pkey and
      // tokens_successor, and the indexes of `selectTokenRecords`.
      const row = await selectTokenDetails(db).where('tokens.id', '=', id).executeTakeFirst();
      return row && toTokenDetails(row);
    },

    async findSeveral(ids) {
      // Uses the same indexes, once for each token.
      const chosen = sql<TokenId>`any(${ids}::uuid[])`;
      const rows = await selectTokenDetails(db)
        .where('tokens.id', '=', chosen)
        .orderBy('tokens.id')
        .execute();
      return rows.map(toTokenDetails);
    },

    async findWithRotation(id, at) {
      // Uses the indexes tokens_pkey, twice, tokens_successor and token_policies_pkey.
      const ids = sql<TokenId>`(
        select ${id}::uuid
        union all select replaces from tokens where id = ${id} and replaces is not null
        union all select id from tokens where replaces = ${id} and revoked_at is null
      )`;
      const rows = await selectTokenDetails(db)
        .select(sql<boolean>`${breaksRules(moment(at))}`.as('isOverPolicy'))
        .where('tokens.id', 'in', ids)
        .execute();
      const found = rows.map(({ isOverPolicy, ...row }) =>
        Object.freeze({ ...toTokenDetails(row), isOverPolicy }),
      );
      return found.some((token) => token.id === id) ? found : [];
    },

    findUsage: (id) => findUsage(db, id),

    async list(query) {
      const order = orderOf(query);
      // Selects the ids of the page in a subquery, so that only the tokens of the page are joined.
      const page = sql<TokenId>`${pageOf(query, order)}`;
      const rows = await selectTokenDetails(db).where('tokens.id', 'in', page).orderBy(order).execute();
      return rows.map(toTokenDetails);
    },

    async count(query) {
      const { rows } = await sql<{ count: number }>`
        select count(*) from ${pageOf(query)} as counted where ${onPrimary}`.execute(db);
      return rows[0]?.count ?? 0;
    },
  };
}

/** The columns that order the tokens. They are the columns of the index tokens_expires_at or tokens_pkey. */
const columnsOf = ({ expiringBefore }: TokenQuery) =>
  expiringBefore === undefined ? sql`tokens.id` : sql`tokens.expires_at, tokens.id`;

const isDescending = ({ expiringBefore, unusedSince, newestFirst }: TokenQuery) =>
  expiringBefore === undefined && unusedSince === undefined && newestFirst === true;

const orderOf = (query: TokenQuery) => (isDescending(query) ? sql`tokens.id desc` : columnsOf(query));

/** Selects the ids of a page. Without an order, selects the ids of any tokens that match. */
function pageOf(query: TokenQuery, order?: RawBuilder<unknown>): RawBuilder<unknown> {
  const { unusedSince, limit } = query;
  const onPage = isOnPage(query);
  const found =
    unusedSince === undefined
      ? sql`tokens where ${and(...tokenConditions(query), onPage)}`
      : sql`(${sql.join(unusedTokens(query, unusedSince, onPage), sql` union all `)}) as tokens`;
  return sql`(select tokens.id from ${found} ${order ? sql`order by ${order}` : sql``} limit ${limit})`;
}

function isOnPage(query: TokenQuery): RawBuilder<SqlBool> {
  const { after, expiringBefore } = query;
  if (!after) return sql`true`;
  const { id, expiresAt } = after;
  const last =
    expiringBefore === undefined
      ? sql`${id}::uuid`
      : sql`${formatInstantOrNull(expiresAt)}::timestamptz, ${id}::uuid`;
  return sql`(${columnsOf(query)}) ${isDescending(query) ? sql`<` : sql`>`} (${last})`;
}

/** Selects the user's live tokens: API tokens before sign-in tokens, and each kind by expiry. */
export function listLiveTokens(db: Queries): UserRepository['listLiveTokens'] {
  return async (userId, { at, limit }) => {
    const found: TokenDetails[] = [];
    for (const kind of TOKEN_KINDS) {
      if (found.length >= limit) break;
      // Uses the index tokens_live_of_user. Selects the ids in a subquery, so that only these tokens are joined.
      const ids = db
        .selectFrom('tokens')
        .select('tokens.id')
        .where('tokens.user_id', '=', userId)
        .where('tokens.kind', '=', kind)
        .where(isLiveAt(at))
        .orderBy(EXPIRY)
        .limit(limit - found.length);
      const tokens = selectTokenDetails(db)
        .where('tokens.id', 'in', ids)
        .orderBy(EXPIRY)
        .orderBy('tokens.id');
      found.push(...(await tokens.execute()).map(toTokenDetails));
    }
    return found;
  };
}
