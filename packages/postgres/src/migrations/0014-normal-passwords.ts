import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Lists the users whose stored hash is of the password's normal form: `password_hash` here is the one in `users`. A
 * server of the version before changes only the one in `users`, and that hash then counts as made of the password as
 * typed.
 *
 * A table of its own, because a column of `users` would keep all sign-ins waiting for the lock that adds it.
 */
export const up = script(sql`
    create table if not exists normal_passwords (
      user_id bigint primary key references users on delete cascade,
      password_hash text not null
    )`);
