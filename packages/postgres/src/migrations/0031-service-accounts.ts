import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds service accounts: users who have no password, and whose tokens an admin makes.
 *
 * Adding a column with a constant default only changes the catalog. Servers of the previous version do not know the
 * column and count a service account among the admins of its account, so none is made while one of them is connected.
 */
export const steps = inSteps(
  // A constraint that is not validated checks new rows only, so the lock is short. Every older row passes it.
  sql`
    alter table users
      drop constraint if exists users_kind,
      add column if not exists kind text not null default 'person',
      alter column password_hash drop not null,
      add constraint users_kind check (
        case kind when 'person' then password_hash is not null
          when 'service' then password_hash is null else false end) not valid`,
  // Not called service_accounts: that table has the accounts to which a service is open.
  sql`
    create table if not exists service_users (
      user_id bigint primary key,
      account_id bigint not null,
      description text check (description <> ''),
      responsible_id bigint not null,
      -- Who made it, with the name and the address of that time. The id is null if the operator did.
      created_by bigint,
      created_by_name text not null,
      created_by_email text check ((created_by is null) = (created_by_email is null)),
      foreign key (user_id, account_id) references users (id, account_id),
      foreign key (responsible_id, account_id) references users (id, account_id)
    );
    create index if not exists service_users_responsible_id on service_users (responsible_id);
    create index if not exists service_users_account_id on service_users (account_id, user_id)`,
);
