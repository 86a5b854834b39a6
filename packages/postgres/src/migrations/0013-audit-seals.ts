import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds tables for the seals of the audit log. A seal names its events by ranges of their ids. Therefore no row of the
 * log changes, and the migration is quick on a log of any size. Servers of the previous version can still write events.
 */
export const steps = inSteps(
  sql`
    create table if not exists audit_seals (
      last_position bigint primary key,
      first_position bigint not null check (first_position between 1 and last_position),
      -- The event with the least id has the first position.
      ids int8multirange not null,
      -- All ids up to this one have been looked for.
      through_id bigint not null,
      digest text not null,
      line_hashes text not null,
      sealed_at timestamptz(3) not null,
      previous text not null,
      mac text not null unique,
      pruned_at timestamptz(3),
      pruned_mac text check ((pruned_mac is null) = (pruned_at is null))
    );
    create index if not exists audit_seals_unpruned on audit_seals (last_position) where pruned_at is null;

    -- Ids that were passed over because no event with them was committed yet, and the transactions that may have them.
    create table if not exists audit_gaps (
      first_id bigint primary key,
      last_id bigint not null check (first_id <= last_id),
      writers text[] not null
    );

    create table if not exists audit_seal_keys (
      id text primary key,
      sealed_secret text not null
    );
    create unique index if not exists audit_seal_keys_one on audit_seal_keys ((true));`,

  // A seal changes only once, when its events are deleted. The trigger prevents mistakes, but not attacks: a role that
  // may change tables can drop the trigger.
  sql`
    create or replace function refuse_audit_seal_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        if old.pruned_at is null and new.pruned_at is not null
          and (old.last_position, old.first_position, old.ids, old.through_id, old.digest, old.line_hashes,
            old.sealed_at, old.previous, old.mac)
          = (new.last_position, new.first_position, new.ids, new.through_id, new.digest, new.line_hashes,
            new.sealed_at, new.previous, new.mac) then
          return new;
        end if;
      end if;
      raise exception 'audit seals are never changed and never deleted' using errcode = 'insufficient_privilege';
    end $$;
    create or replace trigger audit_seals_stay before update or delete on audit_seals
      for each row execute function refuse_audit_seal_change();
    create or replace trigger audit_seals_stay_all before truncate on audit_seals
      for each statement execute function refuse_audit_seal_change()`,

  // Allows the deletion of events only if the transaction names the seal of the events, and that seal is recorded as
  // pruned.
  sql`
    create or replace function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and coalesce(current_setting('gatehouse.pruned_seal', true), '') <> '' then
        return null;
      end if;
      raise exception 'audit events are never changed and never deleted' using errcode = 'insufficient_privilege';
    end $$;
    create or replace function refuse_unsealed_audit_deletion() returns trigger language plpgsql as $$
    begin
      if exists (
        select from gone where not exists (
          select from audit_seals
          where last_position = current_setting('gatehouse.pruned_seal')::bigint
            and pruned_at is not null and ids @> gone.id)
      ) then
        raise exception 'audit events are deleted only with their seal' using errcode = 'insufficient_privilege';
      end if;
      return null;
    end $$;
    create or replace trigger audit_events_pruned after delete on audit_events
      referencing old table as gone for each statement execute function refuse_unsealed_audit_deletion()`,
);
