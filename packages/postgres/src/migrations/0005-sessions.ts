import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/** Creates the table of browser sessions. */
export const up = script(sql`
    create table sessions (
      id uuid primary key,
      -- The SHA-256 of the secret, which is stored nowhere.
      secret_hash bytea not null unique check (length(secret_hash) = 32),
      user_id bigint not null references users on delete cascade,
      created_at timestamptz(3) not null,
      -- In no index, so that recording a request writes to the row's page only.
      last_seen_at timestamptz(3) not null,
      password_given_at timestamptz(3) not null,
      origin text not null,
      user_agent text
    );
    create index sessions_user_id on sessions (user_id, created_at);
    create index sessions_created_at on sessions (created_at);
  `);
