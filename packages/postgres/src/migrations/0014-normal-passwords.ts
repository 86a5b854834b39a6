import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Adds a table of the users whose hash was made from the normal form of the password (`normalPassword`).
 * `password_hash` repeats the hash in `users`. A server of the previous version changes only the hash in `users`. If
 * the two hashes differ, the hash in `users` counts as made from the password as the user typed it.
 *
 * This is a separate table, because adding a column to `users` needs a lock for which all sign-ins would wait.
 */
export const up = script(sql`
    create table if not exists normal_passwords (
      user_id bigint primary key references users on delete cascade,
      password_hash text not null
    )`);
