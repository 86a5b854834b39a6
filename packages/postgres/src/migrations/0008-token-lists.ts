import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { BATCH, index, inParts } from '../database/migrator/migration-statements.ts';

/**
 * Adds the indexes for the pages of a list of an account's API tokens: for each order, for the filters, and separately
 * for revoked tokens. All indexes on `tokens` are partial, so that sign-ins write to none of them.
 *
 * No step blocks reads of `tokens`. A step blocks writes at most while it builds one index.
 */
export const steps = inSteps(
  // For each key, one range of this index has exactly the tokens that are not revoked and not expired. With the
  // included column, PostgreSQL counts them by reading only the index. No other index has this order, so that
  // PostgreSQL does not choose an index that also has sign-ins.
  index(`tokens_open on tokens (account_id, key_id, coalesce(expires_at, 'infinity'), user_id)
    include (expires_at) where kind = 'api' and revoked_at is null`),
  // For each order of the list, one index of the tokens that are not revoked, and one of the revoked tokens.
  index(`tokens_open_by_id on tokens (account_id, id) where kind = 'api' and revoked_at is null`),
  index(`tokens_open_by_name on tokens (account_id, lower(name) text_pattern_ops, id)
    where kind = 'api' and revoked_at is null`),
  index(`tokens_open_by_expiry on tokens (account_id, coalesce(expires_at, 'infinity'), id)
    include (expires_at) where kind = 'api' and revoked_at is null`),
  index(`tokens_revoked_by_id on tokens (account_id, id) where kind = 'api' and revoked_at is not null`),
  index(`tokens_revoked_by_name on tokens (account_id, lower(name) text_pattern_ops, id)
    where kind = 'api' and revoked_at is not null`),
  index(`tokens_revoked_by_expiry on tokens (account_id, coalesce(expires_at, 'infinity'), id)
    where kind = 'api' and revoked_at is not null`),

  // Indexes of the tokens that are being replaced.
  index(
    'tokens_succeeded on tokens (account_id, replaces) where replaces is not null and revoked_at is null',
  ),
  index(
    'tokens_being_replaced on tokens (account_id, id) where replaced_at is not null and revoked_at is null',
  ),

  // Indexes to find creators by the beginning of their email or name, and to find disabled users.
  index('users_account_email on users (account_id, email_key text_pattern_ops)'),
  index('users_account_name on users (account_id, lower(name) text_pattern_ops)'),
  index('users_disabled_of_account on users (account_id, id) where disabled_at is not null'),

  // `account_id` is the account of an API token, which never changes, so that usage can be sorted within an account.
  // For sign-ins, it is null. `refused_since_use` changes only when a refusal follows a use, or a use follows a
  // refusal, so that nearly all updates leave the indexes unchanged. A trigger sets this column: for a generated
  // column, PostgreSQL would rewrite the whole table while reads wait.
  sql`
    alter table token_usage
      add column if not exists account_id bigint,
      add column if not exists refused_since_use boolean not null default false;
    create or replace function negate_refused_since_use() returns trigger language plpgsql as $$
    begin
      new.refused_since_use := not new.refused_since_use;
      return new;
    end $$;
    create or replace trigger token_usage_refused_since_use before insert or update on token_usage
      for each row when (new.refused_since_use <> (new.last_refused_at is not null
        and (new.last_used_at is null or new.last_refused_at >= new.last_used_at)))
      execute function negate_refused_since_use()`,

  // A token that was never used also needs a row, because the orders by use read this table. A trigger inserts the row,
  // because servers of the previous version insert tokens, too.
  sql`
    create or replace function insert_token_usage() returns trigger language plpgsql as $$
    begin
      insert into token_usage (token_id, account_id) values (new.id, new.account_id);
      return null;
    end $$;
    create or replace trigger tokens_insert_usage after insert on tokens
      for each row when (new.kind = 'api') execute function insert_token_usage()`,

  // Inserts the rows of tokens that existed before. The rows are inserted in the order of their ids, because usage
  // recorders lock rows in that order. For sign-ins, only existing rows are updated, so that the trigger sets
  // `refused_since_use`.
  inParts(
    (after) => sql<{ last: string | null }>`
      with part as materialized (
        select id, case when kind = 'api' then account_id end as account_id from tokens
        where id > ${after}::uuid order by id limit ${sql.lit(BATCH)} for key share
      ), stored as (
        insert into token_usage as kept (token_id, account_id)
        select id, account_id from part
        where account_id is not null or exists (select from token_usage where token_id = part.id) order by id
        on conflict (token_id) do update set account_id = excluded.account_id where kept.account_id is null
      )
      select max(id::text) as last from part`,
  ),

  index(`token_usage_by_day on token_usage (account_id, coalesce(last_used_on, '-infinity'), token_id)
    where account_id is not null`),
  index(`token_usage_refused on token_usage (account_id, token_id)
    where refused_since_use and account_id is not null`),
);
