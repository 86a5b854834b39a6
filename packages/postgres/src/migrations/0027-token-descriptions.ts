import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Adds a table of what API tokens are for, in the words of admins. A token without a description has no row.
 *
 * This is a separate table, because adding a column to `tokens` needs a lock for which all requests would wait. It has
 * no foreign key, because a foreign key needs a lock for which all new tokens would wait, and no API token is ever
 * deleted.
 */
export const up = script(sql`
    create table if not exists token_descriptions (
      token_id uuid primary key,
      description text not null check (description <> '')
    )`);
