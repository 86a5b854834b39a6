import type { AccountId } from '@gatehouse/domain/accounts';
import type { AccountTokenPage, AccountTokenQuery, TokenId } from '@gatehouse/domain/tokens';
import { addressesFound, addressSearch } from '@gatehouse/domain/tokens';
import { type InferResult, type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../../database/primary/primary-only.ts';
import type { Queries, StoredAddress, StoredRefusalAddress } from '../../database/schema.ts';
import { PLANNED_FOR_VALUES } from '../../database/statements/statement-names.ts';
import { toAddresses } from '../../usage/usage-reading.ts';
import { newestAddress, type selectTokenDetails, selectTokenRecords } from '../token-records.ts';

/** Selects the ids of the tokens of a page, the sort key of each, and the number of tokens that match. */
export type Page = RawBuilder<{ id: TokenId; key: unknown; total: number }>;

interface PageReading {
  readonly accountId: AccountId;
  readonly page: Page;
  /** The order of the rows of `page`. */
  readonly order: RawBuilder<unknown>;
  /** Whether to read all addresses of each token. */
  readonly addresses: boolean;
}

type PageRow = InferResult<ReturnType<typeof selectTokenDetails>>[number] & {
  readonly total: number;
  readonly used?: readonly StoredAddress[] | null;
  readonly refused?: readonly StoredRefusalAddress[] | null;
};

/**
 * Reads the details of a page's tokens: the same columns as `selectTokenDetails`. The statement reads each table once,
 * by a range of an index that begins with the account, and not once for each token. In that index, the rows of an
 * account are next to each other. Each part of the statement that reads a table has the name of the table, so that the
 * rest of the statement reads the part instead of the table.
 */
export async function readPageDetails(
  db: Queries,
  { accountId, page, order, addresses }: PageReading,
): Promise<readonly PageRow[]> {
  const ofPage = sql`any(array(select id from page))`;
  // Each join is a lateral subquery, so that PostgreSQL looks up each token separately. PostgreSQL estimates that each
  // part of this statement has one row, and could otherwise compare each row of one part with every row of another.
  const { rows } = await sql<PageRow>`
    with ${PLANNED_FOR_VALUES} page as materialized ${page},
    -- tokens_succeeded
    successors as materialized (
      select id, replaces from tokens
      where account_id = ${accountId} and revoked_at is null and replaces = ${ofPage}),
    -- tokens_account_id
    tokens as materialized (select * from tokens where account_id = ${accountId} and id = ${ofPage}),
    -- token_usage_of_account
    token_usage as materialized (
      select * from token_usage where account_id = ${accountId} and token_id = ${ofPage}),
    -- token_addresses_pkey; tokens that were neither used nor refused have no row
    token_addresses as materialized (
      select * from token_addresses where token_id = any(array(
        select token_id from token_usage where last_used_at is not null or last_refused_at is not null))),
    -- token_descriptions_pkey
    descriptions as materialized (select * from token_descriptions where token_id = ${ofPage}),
    -- users_account_id
    users as materialized (
      select * from users where account_id = ${accountId} and id = any(array(select user_id from tokens))),
    accounts as materialized (select * from accounts where id = ${accountId}),
    signing_keys as materialized (
      select * from signing_keys where id = any(array(select key_id from tokens))),
    records as materialized ${selectTokenRecords(db)}
    select records.*, usage.last_used_at, usage.last_refused_at, usage.last_refused_reason,
      usage.last_refused_by,
      ${newestAddress('used')} as used_newest, ${newestAddress('refused')} as refused_newest,
      ${addresses ? sql`token_addresses.used, token_addresses.refused,` : sql``}
      description.description, successor.id as successor_id, page.total
    from records
    join lateral (select * from page where id = records.id offset 0) as page on true
    left join lateral (select * from token_usage where token_id = records.id offset 0) as usage on true
    left join lateral (
      select * from token_addresses where token_id = records.id offset 0) as token_addresses on true
    left join lateral (
      select description from descriptions where token_id = records.id offset 0) as description on true
    left join lateral (select id from successors where replaces = records.id offset 0) as successor on true
    where ${onPrimary} order by ${order}`.execute(db);
  return rows;
}

/** Returns, for each token of a page, those addresses that the search asks for. */
export function addressesOf(
  { search = '' }: AccountTokenQuery,
  rows: readonly PageRow[],
): AccountTokenPage['foundAddresses'] {
  const addresses = addressSearch(search);
  if (addresses === undefined) return new Map();
  return new Map(
    rows.flatMap(({ id, used, refused }) => {
      const found = addressesFound(addresses, toAddresses({ used: used ?? [], refused: refused ?? [] }));
      return found ? [[id, found] as const] : [];
    }),
  );
}
