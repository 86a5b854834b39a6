import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { BATCH, inParts } from '../database/migrator/migration-statements.ts';

/**
 * Adds an index that finds the API tokens of all accounts that were not used for long. The index has the day of the
 * last use or, for a token that was never used, the day of its creation. PostgreSQL does not read recently created
 * tokens in it, however many there are.
 */
export const steps = inSteps(
  // Days are in UTC. A trigger sets the day of creation, because servers of the previous version also insert tokens.
  // The lock waits for transactions that are inserting tokens. Without the lock, such a transaction could still run the
  // old function and insert a token for which the next step sets no day.
  sql`
    lock table tokens in share row exclusive mode;
    alter table token_usage add column if not exists created_on date;
    create or replace function insert_token_usage() returns trigger language plpgsql as $$
    begin
      insert into token_usage (token_id, account_id, created_on)
        values (new.id, new.account_id, (new.created_at at time zone 'UTC')::date);
      return null;
    end $$`,

  // Sets the day of tokens that existed before. The rows are locked in the order of their ids, as by usage recorders.
  inParts(
    (after) => sql<{ last: string | null }>`
      with part as materialized (
        select token_id, account_id, created_on from token_usage
        where token_id > ${after}::uuid order by token_id limit ${sql.lit(BATCH)} for no key update
      ), stored as (
        update token_usage as kept set created_on = (tokens.created_at at time zone 'UTC')::date
        from part join tokens on tokens.id = part.token_id
        where kept.token_id = part.token_id and part.account_id is not null and part.created_on is null
      )
      select max(token_id::text) as last from part`,
  ),

  // The index is not partial: without statistics of its expression, PostgreSQL would expect a third of all tokens to be
  // idle. In the index, the value of a sign-in is null.
  sql`
    set local maintenance_work_mem = '256MB';
    create index if not exists token_usage_idle
      on token_usage ((case when account_id is not null then coalesce(last_used_on, created_on) end))`,
  sql`analyze token_usage`,

  // Only the filter on unused tokens in commands used this index. Commands of the previous version refuse to run on
  // this schema, so the index has no use left.
  sql`drop index if exists token_usage_last_used_on`,
);
