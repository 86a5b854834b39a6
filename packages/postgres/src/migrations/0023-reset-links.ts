import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds the tables of password-reset links and of the users who are or ever were admins, whose passwords no admin resets.
 * A trigger fills the second one, because servers of the previous version do not know the table. The audit log tells who
 * was an admin before, as far as it was not pruned.
 */
export const steps = inSteps(
  sql`
    create table if not exists once_admins (user_id bigint primary key references users on delete cascade);

    create or replace function note_admins() returns trigger language plpgsql as $$
      begin
        insert into once_admins (user_id) values (new.id) on conflict do nothing;
        return null;
      end $$;
    create or replace trigger users_note_admins after insert or update of role on users
      for each row when (new.role = 'admin') execute function note_admins();
    alter table users enable always trigger users_note_admins;

    create table if not exists reset_links (
      -- The primary key, so that a user has at most one link.
      user_id bigint primary key references users on delete cascade,
      id uuid not null unique,
      -- The SHA-256 of the code, which is stored nowhere.
      code_hash bytea not null unique check (length(code_hash) = 32),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      -- The admin who made it; null if the operator did.
      made_by bigint references users on delete cascade
    );
    create index if not exists reset_links_made_by on reset_links (made_by);

    -- How a user's password was last reset by a link.
    create table if not exists password_resets (
      user_id bigint primary key references users on delete cascade,
      at timestamptz(3) not null,
      -- The name of the admin who made the link; null if the operator did.
      made_by text
    )`,
  // The trigger is committed, so no admin who is made meanwhile is missed.
  sql`
    insert into once_admins (user_id) select id from users where role = 'admin' on conflict do nothing`,
  // Uses the index audit_events_account_action.
  sql`
    insert into once_admins (user_id)
      select distinct users.id from accounts
      join audit_events as event on event.account_id = accounts.id
        and event.action in ('user.created', 'user.role_set')
      join users on users.id::text = event.subject_id
      where 'admin' in (event.details ->> 'role', event.details ->> 'from', event.details ->> 'to')
    on conflict do nothing`,
);
