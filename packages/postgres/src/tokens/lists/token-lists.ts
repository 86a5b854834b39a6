import {
  type AccountTokenQuery,
  type TokenRepository,
  type TokenSection,
  tokenSearch,
} from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../../database/primary/primary-only.ts';
import type { Queries } from '../../database/schema.ts';
import { and } from '../../database/statements/conditions.ts';
import { PLANNED_FOR_VALUES } from '../../database/statements/statement-names.ts';
import { toTokenDetails } from '../token-records.ts';
import { foundLimit, rowsFound, tokensFound } from './address-search.ts';
import { findNeedingAttention } from './attention.ts';
import { filtersOf, isAboutUse } from './filters.ts';
import { type Selection, selectionOfLarge, unionAll } from './large-sections.ts';
import { isByUse, readingOf } from './orders.ts';
import { addressesOf, readPageDetails } from './page-details.ts';
import { rowsOf } from './sections.ts';
import { BASE_WITH_USAGE, usageOfBase } from './usage-of-base.ts';

/** The part of the repository that lists an account's API tokens. */
export function tokenLists(db: Queries): Pick<TokenRepository, 'listOfAccount' | 'findNeedingAttention'> {
  return {
    async listOfAccount(query) {
      const { limit, cursor, section, countLimit } = query;
      const found = tokensFound(query);
      const { found: foundCount, ...counts } = await count(db, query, found);
      const counted = counts[section];
      const isRead = isSearchedFirst(query) || counted >= countLimit;
      const { page, total } =
        found && isRead && foundCount < foundLimit(query)
          ? selectionOfSmall({ ...query, search: undefined }, [rowsFound(query, found)], foundLimit(query))
          : counted < countLimit
            ? selectionOfSmall(query, rowsOf(section, query, columnsFor(query), countLimit), countLimit)
            : selectionOfLarge(query, counted);
      const { shown, backwards } = readingOf(query);
      const rows = await readPageDetails(db, {
        accountId: query.accountId,
        page,
        order: shown('page'),
        addresses: isSearchedFirst(query),
      });
      const more = rows.length > limit;
      // One row more than the limit was read, to find whether there are more. This row, the farthest from the cursor,
      // is removed.
      const kept = more ? (backwards ? rows.slice(1) : rows.slice(0, limit)) : rows;
      return {
        tokens: kept.map(toTokenDetails),
        foundAddresses: addressesOf(query, kept),
        more,
        total: rows[0]?.total ?? (cursor === undefined ? 0 : await countOf(db, total)),
        counts,
      };
    },

    findNeedingAttention: findNeedingAttention(db),
  };
}

/**
 * Whether a search reads the tokens that it finds also in a small section. The addresses of all tokens of the section
 * would be more; their names are read in any case.
 */
const isSearchedFirst = ({ search = '' }: AccountTokenQuery) => {
  const { id, addresses } = tokenSearch(search);
  return id !== undefined || addresses !== undefined;
};

/** Counts the tokens of each section, and the rows that the search found if they will be read. */
async function count(db: Queries, query: AccountTokenQuery, found: RawBuilder<unknown> | undefined) {
  const { countLimit, section } = query;
  const countIn = (each: TokenSection) => {
    const parts = rowsOf(each, query, sql`1`, countLimit);
    return sql`(select count(*) from (${unionAll(parts)} limit ${countLimit}) as counted)`;
  };
  const all = found && sql`(select count(*) from (${found}) as found)`;
  const ofFound =
    all === undefined
      ? sql`0::bigint`
      : isSearchedFirst(query)
        ? all
        : sql`case when ${sql.ref(section)} >= ${countLimit} then ${all} else 0 end`;
  const { rows } = await sql<Record<TokenSection | 'found', number>>`
    select ${PLANNED_FOR_VALUES} active, ended, ${ofFound} as found
    from (select ${countIn('active')} as active, ${countIn('ended')} as ended offset 0) as sections
    where ${onPrimary}`.execute(db);
  return rows[0] ?? { active: 0, ended: 0, found: 0 };
}

async function countOf(db: Queries, total: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select ${PLANNED_FOR_VALUES} ${total} as total where ${onPrimary}`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * Returns SQL for a section with few tokens: it reads the whole section, each of the section's parts by an index, and
 * then filters and sorts the tokens. PostgreSQL's planner cannot know that the section has few tokens, and would
 * search for them among all tokens of the account. The tokens that a search by address found are read in the same way.
 */
function selectionOfSmall(
  query: AccountTokenQuery,
  parts: readonly RawBuilder<unknown>[],
  partsLimit: number,
): Selection {
  const { key, beyond, selected } = readingOf(query);
  const needsUsage = isByUse(query.order) || isAboutUse(query);
  const from = needsUsage ? BASE_WITH_USAGE : sql`base as tokens`;
  const conditions = and(sql`true`, ...filtersOf(query));
  const matched = sql`
    base as materialized (${unionAll(parts)} limit ${partsLimit}),
    ${needsUsage ? sql`${usageOfBase(query.accountId, { refused: query.refusedSinceUse })},` : sql``}
    matched as materialized (
      select tokens.id, ${key} as key, ${beyond ?? sql`true`} as beyond from ${from} where ${conditions})`;
  return {
    page: sql`(
      with ${matched}
      select id, key, (select count(*) from (select from matched limit ${query.countLimit}) as counted) as total from matched
      where beyond order by ${selected('matched')} limit ${query.limit + 1})`,
    total: sql`(with ${matched} select count(*) from (select from matched limit ${query.countLimit}) as counted)`,
  };
}

/**
 * Returns the columns that the filters and the order need. If the columns of the index tokens_open_of_keys are enough,
 * only these are read.
 */
function columnsFor({ section, state, scope, overPolicy }: AccountTokenQuery): RawBuilder<unknown> {
  return section === 'active' && state === undefined && scope === undefined && !overPolicy
    ? sql`tokens.id, tokens.user_id, tokens.expires_at, tokens.created_at, tokens.name`
    : sql`tokens.*`;
}
