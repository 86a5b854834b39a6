import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { BATCH, inParts } from '../database/migrator/migration-statements.ts';

/**
 * Adds an index that finds the API tokens of all accounts that were not used for long: on the day of the last use or,
 * for a token that was never used, of its creation. Young tokens are not among them, however many there are.
 */
export const steps = inSteps(
  // Both are days in UTC. The trigger keeps it, because servers of the version before insert tokens as well. The first
  // lock waits for what is inserting one: else it could go on with the function as it was, behind the next step.
  sql`
    lock table tokens in share row exclusive mode;
    alter table token_usage add column if not exists created_on date;
    create or replace function insert_token_usage() returns trigger language plpgsql as $$
    begin
      insert into token_usage (token_id, account_id, created_on)
        values (new.id, new.account_id, (new.created_at at time zone 'UTC')::date);
      return null;
    end $$`,

  // The same for the tokens that were there before, in the order of their ids, as recorders lock the rows.
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

  // Not a partial index: PostgreSQL would have no statistics of it, and take a third of all tokens for idle ones. Sign-ins
  // are null in it.
  sql`
    set local maintenance_work_mem = '256MB';
    create index if not exists token_usage_idle
      on token_usage ((case when account_id is not null then coalesce(last_used_on, created_on) end))`,
  sql`analyze token_usage`,

  // Only the filter on unused tokens had a use for it, in commands, and those of the version before refuse this schema.
  sql`drop index if exists token_usage_last_used_on`,
);
