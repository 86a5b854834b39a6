import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Adds the table of open invitations. Rows are deleted when an invitation is accepted, revoked or replaced; the audit
 * log has its history.
 */
export const up = script(sql`
    create table if not exists invitations (
      id uuid primary key,
      account_id bigint not null references accounts,
      email text not null,
      email_key text not null,
      name text,
      role text not null check (role in ('admin', 'member')),
      -- The SHA-256 of the code, which is stored nowhere.
      code_hash bytea not null unique check (length(code_hash) = 32),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      -- The admin who made it; null if the operator did.
      invited_by bigint references users on delete cascade,
      -- No admin makes another one.
      check (role <> 'admin' or invited_by is null),
      unique (account_id, email_key)
    );
    create index if not exists invitations_invited_by on invitations (invited_by)`);
