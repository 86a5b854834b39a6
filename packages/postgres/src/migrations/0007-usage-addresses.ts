import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/** Creates the table of the addresses from which tokens were used and refused. */
export const up = script(sql`
    -- One row for a token, so that it is bounded by what writes it, and locked by one lock. Beside token_usage, so that
    -- all addresses can be forgotten without writing there.
    create table token_addresses (
      token_id uuid primary key references tokens on delete cascade,
      -- Newest first, each {"address", "first", "last", "times"}: the moments in milliseconds since 1970. Refusals have
      -- a "reason", too.
      used jsonb not null,
      refused jsonb not null,
      -- The day (UTC), counted from 1970, of the address that was seen least recently.
      oldest_day integer not null generated always as
        (least((used -> -1 ->> 'last')::bigint, (refused -> -1 ->> 'last')::bigint) / 86400000) stored
    );
    -- Most uses are on the day of the one before, and leave this index alone.
    create index token_addresses_oldest_day on token_addresses (oldest_day);
  `);
