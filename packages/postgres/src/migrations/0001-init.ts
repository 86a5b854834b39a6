import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Creates the first tables. Times are timestamptz(3), because the domain's times are whole milliseconds. Ids are `generated
 * always`, so that no id is used twice or chosen by hand. Foreign keys include the account's id, so that a row cannot refer
 * to a row of another account.
 */
export const up = script(sql`
    create table accounts (
      id bigint generated always as identity primary key,
      name text not null,
      created_at timestamptz(3) not null,
      suspended_at timestamptz(3)
    );

    create table users (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts,
      email text not null,
      -- How addresses are compared is the domain's rule (emailKey); for ASCII it can be checked here as well.
      email_key text not null constraint users_email_key_unique unique
        check (octet_length(email) > char_length(email) or email_key = lower(email collate "C")),
      name text not null,
      role text not null check (role in ('admin', 'member')),
      password_hash text not null,
      created_at timestamptz(3) not null,
      disabled_at timestamptz(3),
      -- What the composite foreign keys refer to.
      unique (id, account_id)
    );
    create index users_account_id on users (account_id, id);

    create table organizations (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts,
      name text not null,
      description text,
      created_at timestamptz(3) not null,
      unique (id, account_id)
    );
    create index organizations_account_id on organizations (account_id, id);

    create table memberships (
      organization_id bigint not null,
      user_id bigint not null,
      account_id bigint not null,
      created_at timestamptz(3) not null,
      primary key (organization_id, user_id),
      foreign key (organization_id, account_id) references organizations (id, account_id),
      foreign key (user_id, account_id) references users (id, account_id)
    );
    create index memberships_user_id on memberships (user_id);

    create table signing_keys (
      id text primary key,
      format text not null check (format in ('paseto', 'jwt')),
      state text not null check (state in ('staged', 'active', 'verify-only', 'retired')),
      public_key bytea not null check (octet_length(public_key) = 32),
      sealed_secret text not null,
      created_at timestamptz(3) not null,
      activated_at timestamptz(3) check ((activated_at is null) = (state = 'staged')),
      retired_at timestamptz(3) check ((retired_at is not null) = (state = 'retired')),
      unique (id, format)
    );
    create unique index signing_keys_active on signing_keys (format) where state = 'active';

    create table tokens (
      id uuid primary key,
      account_id bigint not null,
      user_id bigint not null,
      -- Whom the token was issued to, as it says itself: history, and so tied to nothing.
      subject bigint not null,
      kind text not null check (kind in ('api', 'sign-in')),
      name text not null,
      format text not null,
      key_id text not null,
      scopes text[] not null check (cardinality(scopes) > 0),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      revoked_by jsonb,
      revoked_reason text,
      foreign key (user_id, account_id) references users (id, account_id),
      foreign key (key_id, format) references signing_keys (id, format),
      check ((revoked_at is null) = (revoked_by is null)),
      check (revoked_at is not null or revoked_reason is null)
    );
    create index tokens_user_id on tokens (user_id);
    create index tokens_account_id on tokens (account_id, id);
    create index tokens_key_id on tokens (key_id);
    create index tokens_api_name on tokens (user_id, name) where kind = 'api' and revoked_at is null;

    -- No foreign keys: the log keeps its events when their subjects are deleted.
    create table audit_events (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null,
      actor jsonb not null,
      origin text not null,
      action text not null,
      subject_type text not null,
      subject_id text not null,
      account_id bigint,
      details jsonb not null
    );

    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'audit events are never changed and never deleted' using errcode = 'insufficient_privilege';
    end $$;
    create trigger audit_events_stay before update or delete or truncate on audit_events
      for each statement execute function refuse_audit_change();

    create table sign_in_addresses (
      -- One IPv4 address, or the /64 of an IPv6 address.
      network cidr primary key,
      attempts integer not null check (attempts >= 0),
      window_ends_at timestamptz(3) not null
    );
    create index sign_in_addresses_window_ends_at on sign_in_addresses (window_ends_at);

    create table sign_in_accounts (
      -- SHA-256 of the email's key: of one length, and no record of what else people type into the field.
      email_digest bytea primary key,
      failures integer not null check (failures > 0),
      last_attempt_at timestamptz(3) not null,
      forgotten_at timestamptz(3) not null
    );
    create index sign_in_accounts_forgotten_at on sign_in_accounts (forgotten_at);
  `);
