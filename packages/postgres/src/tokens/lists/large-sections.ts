import { type AccountTokenQuery, isAcceptedIn } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, or } from '../../database/statements/conditions.ts';
import { filtersOf, isAboutUse } from './filters.ts';
import { isByUse, readingOf } from './orders.ts';
import type { Page } from './page-details.ts';
import { partsOf, partsOfState } from './sections.ts';
import { BASE_WITH_USAGE } from './usage-of-base.ts';

/** Parts of the statement that reads a page of a section. */
export interface Selection {
  /** The ids of the page and of one more token, the sort key of each, and the total. */
  readonly page: Page;
  readonly total: RawBuilder<unknown>;
}

type Sql = RawBuilder<unknown>;

/**
 * The largest number of tokens that are read in the order of the list to find a page. If they are not enough, the whole
 * section is read.
 */
const MAX_NEAR = 1000;

export const unionAll = (parts: readonly Sql[]) =>
  sql`select * from (${sql.join(parts, sql` union all `)}) as parts`;
const all = (...conditions: readonly Sql[]) => sql`(${and(sql`true`, ...conditions)})`;

/** Selects the id of a row and its sort key. */
function columnsOf(query: AccountTokenQuery): Sql {
  const { id, key } = readingOf(query);
  return sql`${id} as id, ${key} as key`;
}

/**
 * Returns parts of a statement that read a page of a large section in the order of the list, and count its tokens up to
 * the limit. If too few of the tokens that are read fit the filters and the section, the whole section is read once.
 * The cost of that is known; the cost of reading further tokens in order is not.
 */
export function selectionOfLarge(query: AccountTokenQuery, counted: number): Selection {
  const { section, state, countLimit } = query;
  const endedState = section === 'ended' && state !== undefined && !isAcceptedIn(state) ? state : undefined;
  const isState = endedState !== undefined;
  const parts = isState ? partsOfState(endedState, query) : partsOf(section, query);
  // The conditions in `parts` select exactly the tokens with this state, so the filter by state is no longer needed.
  const rest = isState ? { ...query, state: undefined } : query;
  const filters = filtersOf(rest);
  const total =
    filters.length === 0 && !isState ? sql`${counted}::bigint` : countOf(rest, parts, filters, countLimit);
  const page =
    filters.length === 0 && !isState && !isByUse(query.order)
      ? inOrder(query, columnsOf(query), parts, query.limit + 1)
      : // The tokens with a state are a range of another index, and may be anywhere in the list.
        inSteps(rest, parts, filters, isState ? 0 : MAX_NEAR);
  return {
    page: sql`(select id, key, ${total} as total from (${page}) as found
      order by ${readingOf(query).selected('found')} limit ${query.limit + 1})`,
    total,
  };
}

/** Selects the first tokens of each part in the order of the list, by the index of that order. */
function inOrder(query: AccountTokenQuery, columns: Sql, parts: readonly Sql[], limit: number): Sql {
  const { beyond = sql`true`, reading } = readingOf(query);
  return unionAll(
    parts.map(
      (part) =>
        sql`(select ${columns} from tokens where ${all(part, beyond)} order by ${reading} limit ${limit})`,
    ),
  );
}

function countOf(query: AccountTokenQuery, parts: readonly Sql[], filters: readonly Sql[], limit: number) {
  const [from, ofUsage] = isAboutUse(query)
    ? [
        sql`token_usage as usage join tokens on tokens.id = usage.token_id`,
        sql`usage.account_id = ${query.accountId}`,
      ]
    : [sql`tokens`, sql`true`];
  const counts = parts.map(
    (part) => sql`(select from ${from} where ${all(part, ...filters, ofUsage)} limit ${limit})`,
  );
  return sql`(select count(*) from (${unionAll(counts)} limit ${limit}) as counted)`;
}

/**
 * Selects a page from the first `maxNear` tokens. If too few of these tokens fit the filters, selects the page from all
 * tokens.
 */
function inSteps(
  query: AccountTokenQuery,
  parts: readonly Sql[],
  filters: readonly Sql[],
  maxNear: number,
): Sql {
  const { reading, selected, beyond = sql`true` } = readingOf(query);
  const { accountId, limit } = query;
  const byUse = isByUse(query.order);
  const needsUsage = byUse || isAboutUse(query);
  const first = byUse
    ? sql`(select * from token_usage as usage where ${all(sql`usage.account_id = ${accountId}`, beyond)}
        order by ${reading} limit ${maxNear}) as usage join tokens on tokens.id = usage.token_id
        where ${all(or(...parts), ...filters)}`
    : sql`(select * from (${inOrder(query, sql`tokens.*, ${readingOf(query).key} as key`, parts, maxNear)}) as parts
        order by ${selected('parts')} limit ${maxNear}) as tokens
        ${needsUsage ? sql`join token_usage as usage on usage.token_id = tokens.id` : sql``}
        where ${all(...filters)}`;
  const isShort = sql`(select count(*) from near) <= ${limit}`;
  const whole = needsUsage
    ? wholeWithUsage(query, parts, isShort)
    : sql`whole as materialized (${unionAll(
        parts.map(
          (part) =>
            sql`select ${columnsOf(query)} from tokens where ${all(isShort, part, ...filters, beyond)}`,
        ),
      )})`;
  return sql`
    with near as materialized (select ${columnsOf(query)} from ${first} order by ${reading} limit ${limit + 1}),
    ${whole}
    select * from near where not ${isShort} union all select * from whole`;
}

/**
 * Joins all tokens of a section with all usage of the account. Reads both by indexes that contain every column needed.
 */
function wholeWithUsage(query: AccountTokenQuery, parts: readonly Sql[], isShort: Sql): Sql {
  const { accountId, unusedSince, refusedSinceUse, section, limit, countLimit, now, order } = query;
  const { beyond = sql`true` } = readingOf(query);
  const ofTokens = filtersOf({ ...query, unusedSince: undefined, refusedSinceUse: undefined });
  const aboutUse = { accountId, section, order, limit, countLimit, now, unusedSince, refusedSinceUse };
  const ofUsage = filtersOf(aboutUse);
  const [refused, areRefused] = refusedSinceUse
    ? [sql`, refused_since_use`, sql`refused_since_use`]
    : [sql``, sql`true`];
  // The part `base` has only the columns of the order and of the filters, so that it fits in memory.
  const [columns, types] = isByUse(order)
    ? [sql`id, created_at`, sql`null::uuid, null::timestamptz`]
    : [
        sql`id, created_at, name, expires_at`,
        sql`null::uuid, null::timestamptz, null::text, null::timestamptz`,
      ];
  const base = parts.map(
    (part) => sql`select ${columns} from tokens where ${all(isShort, part, ...ofTokens)}`,
  );
  // This query has no rows, but the planner expects rows from it. If PostgreSQL expected few tokens in `base`, it might
  // read all usage for each of them.
  const expected = sql`select ${types} from generate_series(1, (select 0))`;
  return sql`
    base as materialized (${unionAll([...base, expected])}),
    base_usage as materialized (select token_id, last_used_on${refused} from token_usage
      where ${all(isShort, sql`account_id = ${accountId}`, areRefused)}),
    whole as materialized (
      select ${columnsOf(query)} from ${BASE_WITH_USAGE} where ${all(...ofUsage, beyond)})`;
}
