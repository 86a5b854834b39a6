import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds second factors for passwords. A column of users tells whether a user has one, so that the statements that read or
 * lock users need no join, and see it change when they have waited for a lock.
 *
 * Adding a column without a default only changes the catalog. Servers of the previous version ignore the columns, so
 * no user enrols and no account demands a second factor while one of them is connected.
 */
export const steps = inSteps(
  // Null demands it from no user.
  sql`alter table accounts add column if not exists second_factor text check (second_factor = 'admins')`,
  // A transaction of its own: the locks of both tables at once could wait for each other with those of a request.
  sql`alter table users add column if not exists second_factor_at timestamptz(3)`,
  sql`
    create table if not exists second_factors (
      user_id bigint primary key references users on delete cascade,
      -- Encrypted under the master key.
      sealed_secret text not null,
      -- The step of the last code that was accepted. No code is accepted twice.
      last_step bigint not null,
      -- The times of wrong codes, the oldest first, in milliseconds since 1970.
      wrong jsonb not null default '[]',
      enrolled_at timestamptz(3) not null
    );
    create table if not exists recovery_codes (
      user_id bigint not null references second_factors on delete cascade,
      -- The SHA-256 of the code, which is stored nowhere.
      code_hash bytea not null check (length(code_hash) = 32),
      primary key (user_id, code_hash)
    );
    create table if not exists second_factor_resets (
      user_id bigint primary key references users on delete cascade,
      at timestamptz(3) not null,
      reason text not null
    );
    create table if not exists pending_sign_ins (
      -- The SHA-256 of the secret, which only the browser has.
      secret_hash bytea primary key check (length(secret_hash) = 32),
      user_id bigint not null references users on delete cascade,
      verified_hash text not null,
      enrolled_at timestamptz(3) not null,
      created_at timestamptz(3) not null
    );
    create index if not exists pending_sign_ins_user_id on pending_sign_ins (user_id);
    create index if not exists pending_sign_ins_created_at on pending_sign_ins (created_at)`,
);
