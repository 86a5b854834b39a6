import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { BATCH, inParts } from '../database/migrator/migration-statements.ts';

/** Selects the addresses of use in a row of `token_addresses`. */
const addressesOf = (row: string) => sql.raw(`jsonb_path_query_array(${row}.used, '$[*].address')`);

/**
 * Adds what was recorded about tokens, keys and accounts because a time had come, and when to look at each API token
 * again. Triggers note the tokens that are due because they changed. They only insert rows, so a request never waits for
 * a server that looks at tokens. Servers of the previous version change tokens, too.
 */
export const steps = inSteps(
  sql`
    create table if not exists token_watches (
      token_id uuid primary key references tokens on delete cascade,
      -- Null if no further fact can come.
      look_at timestamptz(3),
      -- The expiry to which the next column belongs.
      expires_at timestamptz(3),
      -- The least number of days before the expiry that was recorded. 0 is the use of the ended token.
      days_left int check (days_left >= 0),
      unused_since timestamptz(3),
      newest_address_at timestamptz(3)
    );
    create index if not exists token_watches_look_at on token_watches (look_at) where look_at is not null;
    -- Tokens that are due. A token may have several rows.
    create table if not exists watched_changes (
      id bigint primary key generated always as identity,
      token_id uuid not null
    );
    create table if not exists time_event_marks (
      -- The action of an event.
      fact text not null,
      -- The id of a signing key or an account.
      subject text not null,
      -- For an account, the digest of its limits when it was last found.
      mark text not null,
      primary key (fact, subject)
    );

    create or replace function note_changed_token() returns trigger language plpgsql as $$
    begin
      insert into watched_changes (token_id) values (new.id);
      return null;
    end $$;
    create or replace function note_used_token() returns trigger language plpgsql as $$
    begin
      insert into watched_changes (token_id) select id from tokens where id = new.token_id and kind = 'api';
      return null;
    end $$`,

  sql`
    create or replace trigger tokens_inserted_to_watch after insert on tokens
      for each row when (new.kind = 'api') execute function note_changed_token();
    create or replace trigger tokens_updated_to_watch after update of expires_at on tokens
      for each row when (new.kind = 'api' and new.expires_at is distinct from old.expires_at)
      execute function note_changed_token()`,
  sql`
    create or replace trigger token_addresses_inserted_to_watch after insert on token_addresses
      for each row execute function note_used_token();
    -- Most uses are from an address of the ones before.
    create or replace trigger token_addresses_updated_to_watch after update of used on token_addresses
      for each row when (not (${addressesOf('old')} @> ${addressesOf('new')})) execute function note_used_token()`,

  // All tokens that may be accepted now are due. The addresses from before count as known.
  inParts(
    (after) => sql<{ last: string | null }>`
      with part as materialized (
        select id, kind, revoked_at, expires_at from tokens
        where id > ${after}::uuid order by id limit ${sql.lit(BATCH)} for key share
      ), stored as (
        insert into token_watches (token_id, look_at, newest_address_at)
        select id, now(), now() from part
        where kind = 'api' and revoked_at is null
          and (expires_at is null or expires_at > now() - interval '30 days')
        order by id
        on conflict do nothing
      )
      select max(id::text) as last from part`,
  ),
);
