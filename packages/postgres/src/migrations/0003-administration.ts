import { type Kysely, sql } from 'kysely';

/** What administration over years needs: rotation, and indexes for its questions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rotation(db);
  await auditQuestions(db);
  await usageRecorders(db);
}

async function rotation(db: Kysely<unknown>): Promise<void> {
  await sql`
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
  `.execute(db);
}

async function auditQuestions(db: Kysely<unknown>): Promise<void> {
  // What is asked of a million events is answered newest first: each ends with the id, to be read backwards.
  await sql`
    create index audit_events_subject on audit_events (subject_type, subject_id, id);
    create index audit_events_account_id on audit_events (account_id, id);
    create index audit_events_actor on audit_events (actor, id);
    create index audit_events_action on audit_events (action, id);
    -- The order of moments is nearly that of ids, but only nearly.
    create index audit_events_at on audit_events (at);
  `.execute(db);
}

async function usageRecorders(db: Kysely<unknown>): Promise<void> {
  // Who stores usage, and how far behind it was when it last did.
  await sql`
    create table usage_recorders (
      id uuid primary key,
      stored_at timestamptz(3) not null,
      lag_ms integer not null check (lag_ms >= 0)
    );
  `.execute(db);
}
