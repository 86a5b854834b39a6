import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/** Adds the columns of rotation, and the indexes for the lists and counts that administrators read. */
export const up = script(sql`
    alter table tokens
      -- The token that a rotation made this one for, and how long that stays good once this one is used.
      add column replaces uuid references tokens,
      add column grace_ms bigint check (grace_ms >= 0),
      -- When the token that replaces this one was first used, which set expires_at.
      add column replaced_at timestamptz(3),
      add check ((replaces is null) = (grace_ms is null)),
      add check (replaced_at is null or expires_at is not null);
    -- For the foreign key, too.
    create index tokens_replaces on tokens (replaces) where replaces is not null;
    create unique index tokens_successor on tokens (replaces) where replaces is not null and revoked_at is null;

    -- Names, and how they begin, are looked up among API tokens only: sign-ins share one.
    create index tokens_name on tokens (name text_pattern_ops, id) where kind = 'api';
    -- What expires next, page by page.
    create index tokens_expires_at on tokens (expires_at, id) where revoked_at is null and expires_at is not null;
    -- What never does; sign-ins always do.
    create index tokens_never_expiring on tokens (id) where revoked_at is null and expires_at is null;
    -- Tokens whose successor has been used; those whose successor has not are found by tokens_successor.
    create index tokens_replaced on tokens (id) where replaced_at is not null;
    -- Few, and looked at for every page: without these all users and accounts would be read each time.
    create index users_disabled on users (id) where disabled_at is not null;
    create index accounts_suspended on accounts (id) where suspended_at is not null;

    -- When they ended or will end: revoked or expired, whichever comes first. API tokens stay.
    create index tokens_sign_in_end on tokens (least(expires_at, revoked_at)) where kind = 'sign-in';

    -- What is asked of a million events is answered newest first: each ends with the id, to be read backwards.
    create index audit_events_subject on audit_events (subject_type, subject_id, id);
    create index audit_events_account_id on audit_events (account_id, id);
    create index audit_events_actor on audit_events (actor, id);
    create index audit_events_action on audit_events (action, id);
    -- The order of moments is nearly that of ids, but only nearly.
    create index audit_events_at on audit_events (at);

    -- What a suspension would block: one range, however many tokens have ended.
    create index tokens_live on tokens (account_id, coalesce(expires_at, 'infinity')) where revoked_at is null;
    -- What a disabling ends, and a new password, beside any number of other tokens.
    create index tokens_live_of_user on tokens (user_id, kind, coalesce(expires_at, 'infinity'))
      where revoked_at is null;

    -- What was not used for long is found by the day (UTC). A later use on the same day leaves the index alone, as
    -- an index on the moment itself would not: almost every use would have to write to it.
    alter table token_usage add column last_used_on date
      generated always as ((last_used_at at time zone 'UTC')::date) stored;
    create index token_usage_last_used_on on token_usage (last_used_on);

    -- Who stores usage, and how far behind it was when it last did.
    create table usage_recorders (
      id uuid primary key,
      stored_at timestamptz(3) not null,
      lag_ms integer not null check (lag_ms >= 0)
    );

    -- How many tokens keep a key from retiring, and until when: read from the index alone.
    create index tokens_live_of_key on tokens (key_id, expires_at) where revoked_at is null;
  `);
