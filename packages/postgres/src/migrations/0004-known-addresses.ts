import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Creates the table of the addresses from which users signed in. Failed attempts from other addresses do not lock out a
 * user at these addresses.
 */
export const up = script(sql`
    create table sign_in_known_addresses (
      -- As in sign_in_accounts.
      email_digest bytea not null,
      -- As in sign_in_addresses.
      network cidr not null,
      known_until timestamptz(3) not null,
      attempts integer not null check (attempts >= 0),
      window_ends_at timestamptz(3) not null,
      primary key (email_digest, network)
    );
    create index sign_in_known_addresses_known_until on sign_in_known_addresses (known_until);
  `);
