import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/**
 * Adds what mail needs: which links only a message has, for which addresses a link was asked, and of what each person is
 * told.
 *
 * The columns hold the hash of the mailed code, not a mark, because servers of the previous version do not know them. A
 * link that such a server replaces has another code, and is then not a mailed one.
 */
export const steps = inSteps(sql`
  alter table invitations add column if not exists mailed_code_hash bytea;
  alter table reset_links
    add column if not exists mailed_code_hash bytea,
    add column if not exists is_requested boolean not null default false;

  -- When someone last asked for a link for an address that may be no user's. Passwords that are typed by mistake are
  -- only hashed.
  create table if not exists reset_requests (
    email_key_hash bytea primary key check (length(email_key_hash) = 32),
    at timestamptz(3) not null
  );
  create index if not exists reset_requests_at on reset_requests (at);

  -- Which messages users get. A user without a row gets all.
  create table if not exists notice_preferences (
    user_id bigint primary key references users on delete cascade,
    tokens boolean not null,
    account boolean not null
  );

  -- The events of which a person was told within the last hour, and those that wait for one message about all of them.
  create table if not exists notices (
    -- Not a reference: it would make each message wait for changes of the user.
    user_id bigint not null,
    position bigint not null,
    at timestamptz(3) not null,
    -- The event that waits; null if the message was sent.
    event jsonb,
    -- Until when a server that sends the message keeps the event for itself.
    taken_until timestamptz(3),
    primary key (user_id, position)
  );
  create index if not exists notices_held on notices (user_id, at) where event is not null;
  create index if not exists notices_sent on notices (at) where event is null`);
