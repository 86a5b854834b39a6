import type { AccountTokenQuery, AddressSearch } from '@gatehouse/domain/tokens';
import { addressSearch } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { type Condition, or } from '../../database/statements/conditions.ts';
import { partsOf } from './sections.ts';
import { beginsWith, usersWhoBegin } from './text-search.ts';

/**
 * A search by address reads at most this number of rows times the number up to which tokens are counted (`countLimit`).
 * If it finds more rows, the whole section of the list is searched instead.
 */
const FOUND_PER_COUNTED = 10;

/** The maximum number of rows that a search by address reads. */
export const foundLimit = ({ countLimit }: AccountTokenQuery) => FOUND_PER_COUNTED * countLimit;

/**
 * Selects the ids of the account's tokens that the search finds by an address, a name or a creator. Selects up to
 * `foundLimit` ids, with duplicates. Undefined if the search text is not an address. Reading these tokens before all
 * others is quick, because most addresses belong to few tokens. The planner of PostgreSQL cannot know that.
 */
export function tokensFound(query: AccountTokenQuery): RawBuilder<unknown> | undefined {
  const { accountId, search = '' } = query;
  const addresses = addressSearch(search);
  if (addresses === undefined) return undefined;
  const limit = sql`limit ${foundLimit(query)}`;
  const named = (revoked: RawBuilder<unknown>) => sql`
    (select id from tokens where account_id = ${accountId} and kind = 'api' and revoked_at is ${revoked}
      and ${beginsWith(sql`lower(name)`, sql`lower(${search}::text)`)} ${limit})`;
  return sql`
    -- searched_addresses_of_account
    (select token_id as id from searched_addresses
      where account_id = ${accountId} and ${isAskedFor(addresses)} ${limit})
    -- tokens_open_by_name, tokens_revoked_by_name
    union all ${named(sql`null`)} union all ${named(sql`not null`)}
    -- tokens_user_id
    union all (select id from tokens
      where user_id = any(array(${usersWhoBegin(accountId, search)})) and kind = 'api' ${limit})
    ${limit}`;
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

function isAskedFor({ address, prefix }: AddressSearch): Condition {
  const conditions = [
    ...(address === undefined ? [] : [sql`address = ${address}`]),
    ...(prefix === undefined ? [] : [beginsWith(sql`address`, sql`${prefix}::text`)]),
  ];
  return or(...conditions);
}
