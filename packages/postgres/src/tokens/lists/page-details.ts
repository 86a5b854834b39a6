import type { AccountId } from '@gatehouse/domain/accounts';
import type { TokenId } from '@gatehouse/domain/tokens';
import { type QueryCreator, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries, Schema } from '../../database/schema.ts';
import { PLANNED_FOR_VALUES } from '../../database/statements/statement-names.ts';
import { newestAddress, selectTokenRecords } from '../token-records.ts';

/** The tokens of a page, with the key of its order and the number of tokens that match. */
export type Page = RawBuilder<{ id: TokenId; key: unknown; total: number }>;

/**
 * Selects the details of a page's tokens, as `selectTokenDetails` does. Reads each table once, by one range of an
 * index that begins with the account, instead of once for each token: the rows of an account are neighbours in that
 * index. Each such read has the name of its table, and replaces the table in the statement.
 */
export function selectPageDetails(db: Queries, accountId: AccountId, page: Page) {
  const ofAccount = sql<SqlBool>`account_id = ${accountId}`;
  const among = (column: string, list: RawBuilder<unknown>) =>
    sql<SqlBool>`${sql.ref(column)} = any(array(${list}))`;
  const ids = sql`select id from page`;
  const read = db
    .with(
      (cte) => cte('page').materialized(),
      () => page,
    )
    // tokens_succeeded
    .with(
      (cte) => cte('successors').materialized(),
      (tables) =>
        tables
          .selectFrom('tokens')
          .select(['id', 'replaces'])
          .where(ofAccount)
          .where('revoked_at', 'is', null)
          .where(among('replaces', ids)),
    )
    // tokens_account_id
    .with(
      (cte) => cte('tokens').materialized(),
      (tables) => tables.selectFrom('tokens').selectAll().where(ofAccount).where(among('id', ids)),
    )
    // token_usage_of_account
    .with(
      (cte) => cte('token_usage').materialized(),
      (tables) => tables.selectFrom('token_usage').selectAll().where(ofAccount).where(among('token_id', ids)),
    )
    // token_addresses_pkey; tokens that were neither used nor refused have no row
    .with(
      (cte) => cte('token_addresses').materialized(),
      (tables) =>
        tables
          .selectFrom('token_addresses')
          .selectAll()
          .where(
            among(
              'token_id',
              sql`select token_id from token_usage where last_used_at is not null or last_refused_at is not null`,
            ),
          ),
    )
    // users_account_id
    .with(
      (cte) => cte('users').materialized(),
      (tables) =>
        tables
          .selectFrom('users')
          .selectAll()
          .where(ofAccount)
          .where(among('id', sql`select user_id from tokens`)),
    )
    .with(
      (cte) => cte('accounts').materialized(),
      (tables) => tables.selectFrom('accounts').selectAll().where('id', '=', accountId),
    )
    .with(
      (cte) => cte('signing_keys').materialized(),
      (tables) =>
        tables.selectFrom('signing_keys').selectAll().where(among('id', sql`select key_id from tokens`)),
    )
    .with(
      (cte) => cte('records').materialized(),
      // The reads above have the columns of the tables that they replace.
      (tables) => selectTokenRecords(tables as unknown as QueryCreator<Schema>),
    );
  // Lateral subqueries: PostgreSQL expects one row of each table, and could otherwise join each with all of the
  // others.
  return read
    .selectFrom('records')
    .innerJoinLateral(
      (tables) =>
        tables.selectFrom('page').selectAll().whereRef('id', '=', 'records.id').offset(0).as('page'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (tables) =>
        tables
          .selectFrom('token_usage')
          .selectAll()
          .whereRef('token_id', '=', 'records.id')
          .offset(0)
          .as('usage'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (tables) =>
        tables
          .selectFrom('token_addresses')
          .selectAll()
          .whereRef('token_id', '=', 'records.id')
          .offset(0)
          .as('token_addresses'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (tables) =>
        tables
          .selectFrom('successors')
          .select('id')
          .whereRef('replaces', '=', 'records.id')
          .offset(0)
          .as('successor'),
      (join) => join.onTrue(),
    )
    .selectAll('records')
    .select(['usage.last_used_at', 'usage.last_refused_at', 'usage.last_refused_reason'])
    .select([newestAddress('used').as('used_newest'), newestAddress('refused').as('refused_newest')])
    .select(['successor.id as successor_id', 'page.total'])
    .modifyFront(PLANNED_FOR_VALUES);
}
