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
  -- One row for each lane in which events wait.
  create table if not exists reaction_lanes (
    reaction text not null references reactions on delete cascade,
    lane text not null,
    -- The time of the next try of the first event of the lane.
    next_at timestamptz(3) not null,
    primary key (reaction, lane)
  );
  create index if not exists reaction_lanes_next_at on reaction_lanes (reaction, next_at, lane);
  create table if not exists reaction_deliveries (
    id bigint primary key generated always as identity,
    reaction text not null references reactions on delete cascade,
    lane text not null,
    position bigint not null,
    -- A copy, so that audit prune does not wait for deliveries.
    event jsonb not null,
    -- The number of tries that failed, and the problem of the last one.
    tries int not null default 0 check (tries >= 0),
    problem text,
    parked_at timestamptz(3),
    check (parked_at is null or tries > 0),
    -- The order of the events of a lane.
    constraint reaction_deliveries_lane unique (reaction, lane, position)
  );
  create index if not exists reaction_deliveries_waiting on reaction_deliveries (reaction, position)
    where parked_at is null;
  create index if not exists reaction_deliveries_stuck on reaction_deliveries (reaction, position) where tries > 0`);
