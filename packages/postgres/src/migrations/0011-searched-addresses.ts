import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { BATCH, inParts } from '../database/migrator/migration-statements.ts';

/**
 * Selects the addresses in a row of `token_addresses`. This is not a function in the database, because `gatehouse
 * doctor` reports every function that does not belong to a trigger.
 */
const addressesOf = (row: string) =>
  sql.raw(`jsonb_path_query_array(${row}.used || ${row}.refused, '$[*].address')`);

/**
 * Copies the addresses of API tokens to a table with one row for each address, to find an account's tokens by address.
 * Triggers copy later changes, because servers of the previous version also store addresses, and because only a trigger
 * knows for certain which addresses a row had before.
 */
export const steps = inSteps(
  sql`
    create table if not exists searched_addresses (
      token_id uuid not null references token_addresses on delete cascade,
      address text not null,
      account_id bigint not null,
      primary key (token_id, address)
    );
    create index if not exists searched_addresses_of_account
      on searched_addresses (account_id, address text_pattern_ops, token_id);

    -- The statement that fires it holds the lock of the row in token_addresses.
    create or replace function copy_searched_addresses() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        delete from searched_addresses
        where token_id = new.token_id and not ${addressesOf('new')} ? address;
      end if;
      insert into searched_addresses (token_id, address, account_id)
        select tokens.id, seen.address, tokens.account_id
        from tokens, jsonb_array_elements_text(${addressesOf('new')}) as seen (address)
        where tokens.id = new.token_id and tokens.kind = 'api'
        on conflict do nothing;
      return null;
    end $$;
    create or replace trigger token_addresses_inserted after insert on token_addresses
      for each row execute function copy_searched_addresses();
    -- Most uses are from the addresses of the ones before, in any order.
    create or replace trigger token_addresses_updated after update on token_addresses
      for each row when (not (${addressesOf('old')} @> ${addressesOf('new')}
        and ${addressesOf('new')} @> ${addressesOf('old')}))
      execute function copy_searched_addresses()`,

  // Copies the addresses that exist already. The rows are locked in the same order as by usage recorders.
  inParts(
    (after) => sql<{ last: string | null }>`
      with part as materialized (
        select token_id, used, refused from token_addresses
        where token_id > ${after}::uuid order by token_id limit ${sql.lit(BATCH)} for share
      ), copied as (
        insert into searched_addresses (token_id, address, account_id)
        select tokens.id, seen.address, tokens.account_id
        from part join tokens on tokens.id = part.token_id and tokens.kind = 'api',
          jsonb_array_elements_text(${addressesOf('part')}) as seen (address)
        on conflict do nothing
      )
      select max(token_id::text) as last from part`,
  ),
);
