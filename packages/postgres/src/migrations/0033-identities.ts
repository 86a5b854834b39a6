import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds the identities of users at identity providers, the sign-ins that have begun there, and which provider opened a
 * session. Facts of users and accounts are in tables of their own, so that no read of users waits for the migration.
 *
 * Servers of the previous version ignore all of it. They accept the sessions that a provider opened.
 */
export const steps = inSteps(
  sql`
    create table if not exists identities (
      issuer text not null,
      subject text not null,
      user_id bigint not null references users on delete cascade,
      linked_at timestamptz(3) not null,
      confirmed_at timestamptz(3) not null,
      -- The address that the provider named last. It decides nothing.
      email text,
      primary key (issuer, subject),
      unique (user_id, issuer)
    );

    create table if not exists sign_in_attempts (
      -- The SHA-256 of the state. Only the browser and the provider know the state itself.
      state_hash bytea primary key check (length(state_hash) = 32),
      -- The SHA-256 of the attempt cookie.
      browser_hash bytea not null check (length(browser_hash) = 32),
      provider text not null,
      purpose text not null check (purpose in ('sign-in', 'link', 'invitation', 'confirm')),
      session_id uuid,
      user_id bigint,
      invitation_hash bytea,
      next text,
      created_at timestamptz(3) not null,
      check ((purpose in ('link', 'confirm')) = (session_id is not null)),
      check ((session_id is null) = (user_id is null)),
      check ((purpose = 'invitation') = (invitation_hash is not null))
    );
    create index if not exists sign_in_attempts_created_at on sign_in_attempts (created_at);

    -- How users sign in. A user without a row has a password, and an address that was never proved.
    create table if not exists sign_in_means (
      user_id bigint primary key references users on delete cascade,
      -- A hash of random bits that no one knows. The user has no password while users has the same hash.
      unknown_hash text,
      email_proved_at timestamptz(3),
      -- When the operator marked the user for emergencies. Such a user has no identities.
      break_glass_at timestamptz(3),
      password_open_until timestamptz(3)
    );

    -- What a provider and Gatehouse do not agree about.
    create table if not exists provider_conflicts (
      user_id bigint primary key references users on delete cascade,
      -- When a person with another identity last tried to sign in as the user.
      other_identity_at timestamptz(3),
      -- When the provider would have made the last admin of an account a member.
      demotion_at timestamptz(3)
    );
    -- Few rows have these facts, and the health check looks for all of them.
    create index if not exists sign_in_means_break_glass on sign_in_means (user_id) where break_glass_at is not null;
    create index if not exists sign_in_means_open on sign_in_means (password_open_until)
      where password_open_until is not null;

    -- When an admin of an account first signed in with a provider.
    create table if not exists provider_admins (
      account_id bigint primary key references accounts on delete cascade,
      since timestamptz(3) not null
    )`,
  sql`
    alter table sessions
      add column if not exists provider text,
      add column if not exists issuer text,
      add column if not exists subject text,
      add column if not exists provider_session text`,
  sql`create index if not exists sessions_of_subject on sessions (issuer, subject) where issuer is not null`,
  sql`
    create index if not exists sessions_of_provider_session on sessions (issuer, provider_session)
      where provider_session is not null`,
);
