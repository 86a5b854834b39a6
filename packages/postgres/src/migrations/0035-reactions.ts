import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds how far reactions to audit events are. The tables are new, so servers of the previous version ignore them: they
 * run no reaction.
 */
export const steps = inSteps(sql`
  create table if not exists reactions (
    name text primary key,
    -- The position in the audit log of the last event that was put into lanes.
    position bigint not null check (position >= 0),
    -- The process that runs the reaction, until this time.
    holder uuid,
    held_until timestamptz,
    check ((holder is null) = (held_until is null))
  );
  -- One row for each lane in which events wait. Only the first event of a lane is tried, so its tries are here.
  create table if not exists reaction_lanes (
    reaction text not null references reactions on delete cascade,
    lane text not null,
    tries int not null default 0 check (tries >= 0),
    next_at timestamptz(3) not null,
    problem text,
    primary key (reaction, lane)
  );
  create index if not exists reaction_lanes_next_at on reaction_lanes (reaction, next_at);
  create table if not exists reaction_deliveries (
    id bigint primary key generated always as identity,
    reaction text not null references reactions on delete cascade,
    lane text not null,
    position bigint not null,
    -- A copy, so that audit prune does not wait for deliveries.
    event jsonb not null,
    parked_at timestamptz(3),
    tries int not null default 0,
    problem text,
    unique (reaction, lane, position)
  );
  create index if not exists reaction_deliveries_waiting on reaction_deliveries (reaction, lane, position)
    where parked_at is null;
  create index if not exists reaction_deliveries_parked on reaction_deliveries (reaction, id)
    where parked_at is not null`);
