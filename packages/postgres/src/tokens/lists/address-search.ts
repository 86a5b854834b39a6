import type { AccountTokenQuery, AddressSearch } from '@gatehouse/domain/tokens';
import { tokenSearch } from '@gatehouse/domain/tokens';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Condition, or } from '../../database/statements/conditions.ts';
import { partsOf } from './sections.ts';
import { beginsWith, tokensNamed, usersFound } from './text-search.ts';

/**
 * A search reads at most this number of rows times the number up to which tokens are counted (`countLimit`).
 * If it finds more rows, the whole section of the list is searched instead.
 */
const FOUND_PER_COUNTED = 10;

/** The maximum number of rows that a search reads before all others. */
export const foundLimit = ({ countLimit }: AccountTokenQuery) => FOUND_PER_COUNTED * countLimit;

/**
 * Selects the ids of the account's tokens that the search finds by an address, a name, a creator or the id. Selects up
 * to `foundLimit` ids, with duplicates. Undefined without a search. Reading these tokens before all others is quick,
 * because most searches find few tokens. The planner of PostgreSQL cannot know that.
 */
export function tokensFound(query: AccountTokenQuery): RawBuilder<unknown> | undefined {
  if (query.search === undefined) return undefined;
  const { accountId } = query;
  const search = tokenSearch(query.search);
  const { id, addresses } = search;
  const limit = sql`limit ${foundLimit(query)}`;
  const parts = [
    ...(id === undefined
      ? []
      : [sql`(select id from tokens where id = ${id} and account_id = ${accountId})`]),
    // searched_addresses_of_account
    ...(addresses === undefined
      ? []
      : [
          sql`(select token_id as id from searched_addresses
            where account_id = ${accountId} and ${isAskedFor(addresses)} ${limit})`,
        ]),
    ...tokensNamed(accountId, search, limit),
    // tokens_user_id
    sql`(select id from tokens
      where user_id = any(array(${usersFound(accountId, search)})) and kind = 'api' ${limit})`,
  ];
  return sql`${sql.join(parts, sql` union all `)} ${limit}`;
}

/** Selects those tokens that the search found and that are in the section of the query. Uses the index tokens_pkey. */
export function rowsFound(query: AccountTokenQuery, found: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = partsOf(query.section, query).map((part) => sql`(${part})`);
  return sql`select tokens.* from tokens where tokens.id = any(array(${found})) and ${or(...parts)}`;
}

/**
 * The condition that a token was used or refused from an address that the search asks for. Uses the index
 * searched_addresses_pkey.
 */
export function hasAddress(addresses: AddressSearch): Condition {
  // Counts addresses, because with `exists` PostgreSQL might first read the addresses of all tokens.
  return sql`(select count(*) from searched_addresses
    where token_id = tokens.id and ${isAskedFor(addresses)}) > 0`;
}

function isAskedFor({ addresses, prefixes }: AddressSearch): Condition {
  const conditions = [
    ...(addresses.length === 0 ? [] : [sql<SqlBool>`address = any(${addresses}::text[])`]),
    ...prefixes.map((prefix) => beginsWith(sql`address`, sql`${prefix}::text`)),
  ];
  return or(...conditions);
}
