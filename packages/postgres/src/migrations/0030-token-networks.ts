import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds the networks from which a token may be used, and the addresses of uses from elsewhere that were only reported.
 *
 * The networks are columns of `tokens`, because each look-up of a record reads them, and because the trigger of
 * `tokens` notifies servers of a change. Adding a column without a default only changes the catalog. Servers of the
 * previous version ignore the columns, so no networks are set while one of them is connected.
 */
export const steps = inSteps(
  // A constraint that is not validated checks new rows only, so the lock is short. Every older row passes it.
  sql`
    alter table tokens
      drop constraint if exists tokens_networks,
      add column if not exists networks text[],
      add column if not exists networks_mode text,
      add constraint tokens_networks check (
        case when networks_mode is null then networks is null
          else networks_mode in ('report-only', 'enforced') and cardinality(networks) between 1 and 32 end) not valid`,
  sql`
    create table if not exists token_outside_addresses (
      token_id uuid primary key references tokens on delete cascade,
      -- Newest first, each {"address", "first", "last", "times"}: the times in milliseconds since 1970.
      seen jsonb not null,
      -- The day (UTC), counted from 1970, of the address that was seen least recently.
      oldest_day integer not null generated always as ((seen -> -1 ->> 'last')::bigint / 86400000) stored
    );
    create index if not exists token_outside_addresses_oldest_day on token_outside_addresses (oldest_day)`,
);
