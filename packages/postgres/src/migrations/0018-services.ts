import { type Kysely, sql } from 'kysely';
import { notifyOf } from '../changes/notify-triggers.ts';

/**
 * Adds the tables of services, and of the last uses of tokens at services. Rows of services, scopes and credentials are
 * never deleted, because a name is never used again.
 *
 * Running it again changes nothing.
 *
 * Every server keeps all services in memory. Therefore each statement that changes a row of a service notifies servers of
 * the service's name. Uses are not notified.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The foreign keys lock these tables, and both locks are taken before anything else is done.
    lock table accounts, tokens in share row exclusive mode;

    create table if not exists services (
      name text collate "C" primary key,
      description text,
      open_to_all boolean not null,
      created_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    );

    create table if not exists service_scopes (
      -- The primary key, so that no name is used again.
      name text primary key,
      service text collate "C" not null references services,
      position integer not null check (position >= 0),
      label text not null,
      allows text not null,
      removed_at timestamptz(3),
      unique (service, position),
      -- A service cannot have a scope of another service.
      check (starts_with(name, service || ':'))
    );

    -- The accounts to which a service is open, unless it is open to all.
    create table if not exists service_accounts (
      service text collate "C" not null references services,
      account_id bigint not null references accounts,
      primary key (service, account_id)
    );

    create table if not exists service_credentials (
      id uuid primary key,
      service text collate "C" not null references services,
      -- The SHA-256 of the secret, which is stored nowhere.
      secret_hash bytea not null unique check (length(secret_hash) = 32),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      revoked_at timestamptz(3)
    );
    create index if not exists service_credentials_service on service_credentials (service, created_at, id);

    -- In tables of their own, so that writing uses does not delay reads of services and tokens.
    create table if not exists service_credential_usage (
      credential_id uuid primary key references service_credentials on delete cascade,
      last_used_at timestamptz(3) not null
    );

    create table if not exists token_service_uses (
      token_id uuid not null references tokens on delete cascade,
      service text collate "C" not null references services,
      last_used_at timestamptz(3) not null,
      -- The address of the client, if the service said it and it was not deleted.
      last_used_from text,
      -- The day (UTC) of the last use, counted from 1970.
      last_used_day integer not null generated always as
        (extract(epoch from last_used_at at time zone 'UTC') / 86400) stored,
      primary key (token_id, service)
    );
    -- Most uses are on the day of the one before, and leave this index alone.
    create index if not exists token_service_uses_last_used_day on token_service_uses (last_used_day)
      where last_used_from is not null`.execute(db);

  const all = ['insert', 'update', 'delete'] as const;
  await notifyOf(db, 'services', 'service', all, {}, 'name');
  await notifyOf(db, 'service_scopes', 'service', all, {}, 'service');
  await notifyOf(db, 'service_accounts', 'service', all, {}, 'service');
  await notifyOf(db, 'service_credentials', 'service', all, {}, 'service');
}
