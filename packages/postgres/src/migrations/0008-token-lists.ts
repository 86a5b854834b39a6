import { type Kysely, sql } from 'kysely';

/**
 * What pages of an account's API tokens need: their orders, their filters, and the ended ones apart. All indexes on
 * tokens are partial, so that sign-ins write to none of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    lock table tokens, token_usage in access exclusive mode;

    -- Exactly the tokens that are neither revoked nor expired, nor signed by a retired key. What is included lets the
    -- index alone count them.
    create index tokens_open on tokens (account_id, key_id, coalesce(expires_at, 'infinity'))
      include (expires_at, user_id) where kind = 'api' and revoked_at is null;
    -- The orders: of tokens that are not revoked, and of those that are.
    create index tokens_open_by_id on tokens (account_id, id) where kind = 'api' and revoked_at is null;
    create index tokens_open_by_name on tokens (account_id, lower(name) text_pattern_ops, id)
      where kind = 'api' and revoked_at is null;
    create index tokens_open_by_expiry on tokens (account_id, coalesce(expires_at, 'infinity'), id)
      include (expires_at) where kind = 'api' and revoked_at is null;
    create index tokens_revoked_by_id on tokens (account_id, id) where kind = 'api' and revoked_at is not null;
    create index tokens_revoked_by_name on tokens (account_id, lower(name) text_pattern_ops, id)
      where kind = 'api' and revoked_at is not null;
    create index tokens_revoked_by_expiry on tokens (account_id, coalesce(expires_at, 'infinity'), id)
      where kind = 'api' and revoked_at is not null;

    -- Tokens that are being replaced.
    create index tokens_succeeded on tokens (account_id, replaces) where replaces is not null and revoked_at is null;
    create index tokens_being_replaced on tokens (account_id, id) where replaced_at is not null and revoked_at is null;

    -- Creators, by how their email or name begins.
    create index users_account_email on users (account_id, email_key text_pattern_ops);
    create index users_account_name on users (account_id, lower(name) text_pattern_ops);
    create index users_disabled_of_account on users (account_id, id) where disabled_at is not null;

    -- The account of an API token, which never changes, so that usage has an order within it; null for sign-ins.
    -- The second column changes only when a first refusal follows a use, or the other way round: as with the day of
    -- the last use, nearly all updates leave the indexes alone.
    alter table token_usage
      add column account_id bigint,
      add column refused_since_use boolean not null generated always as (
        last_refused_at is not null and (last_used_at is null or last_refused_at > last_used_at)) stored;
    update token_usage set account_id = tokens.account_id
      from tokens where tokens.id = token_usage.token_id and tokens.kind = 'api';
    insert into token_usage (token_id, account_id)
      select id, account_id from tokens where kind = 'api'
      on conflict (token_id) do nothing;
    create index token_usage_by_day on token_usage (account_id, coalesce(last_used_on, '-infinity'), token_id)
      where account_id is not null;
    create index token_usage_refused on token_usage (account_id, token_id)
      where refused_since_use and account_id is not null;

    -- A token that was never used has a row, too, or it would be in no order. Servers of the version before insert
    -- tokens as well, so the database does it.
    create function insert_token_usage() returns trigger language plpgsql as $$
    begin
      insert into token_usage (token_id, account_id) values (new.id, new.account_id);
      return null;
    end $$;
    create trigger tokens_insert_usage after insert on tokens
      for each row when (new.kind = 'api') execute function insert_token_usage();
  `.execute(db);
}
