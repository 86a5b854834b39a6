import { type Kysely, sql } from 'kysely';
import { notifyOf } from '../changes/notify-triggers.ts';

/**
 * The columns of a user that Gatehouse shows. The hash of the password is not among them: a sign-in may write a new
 * hash, and no cache depends on it.
 */
const SHOWN = 'id, account_id, email, name, role, created_at, disabled_at';
const SHOWN_CHANGED = `select id from (
  select ${SHOWN} from old_rows except select ${SHOWN} from new_rows) as changed`;

/**
 * Notifies servers of changes when the changes are committed, and stores when tokens were used.
 *
 * Each statement that changes rows on which a decision or an answer depends sends one notification. New tokens, users
 * and accounts send none, because servers never cache that such a row does not exist.
 *
 * PostgreSQL does not allow a list of columns for a trigger with transition tables, so the trigger of users compares
 * the columns itself. The triggers also fire in a session in replica mode.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_change() returns trigger language plpgsql as $$
    declare
      kind constant text := tg_argv[0];
      ids jsonb := '"*"';
      payload text;
    begin
      if tg_op <> 'TRUNCATE' then
        execute 'select jsonb_agg(id) from (select id from (' || tg_argv[1] || ') as changed (id) limit 101) as told'
          into ids;
        if ids is null then
          return null;
        end if;
        if jsonb_array_length(ids) > 100 then
          ids := '"*"';
        end if;
      end if;
      payload := json_build_object('v', 1, 'kind', kind, 'ids', ids);
      -- What a notification holds is limited to fewer than 8000 bytes.
      if octet_length(payload) >= 8000 then
        payload := json_build_object('v', 1, 'kind', kind, 'ids', '*');
      end if;
      perform pg_notify('gatehouse_changes', payload);
      return null;
    end $$;

    -- Beside the tokens and not in them: what is written all the time must not be in the way of what is read.
    create table token_usage (
      token_id uuid primary key references tokens on delete cascade,
      last_used_at timestamptz(3),
      last_refused_at timestamptz(3),
      last_refused_reason text,
      check ((last_refused_at is null) = (last_refused_reason is null))
    );
  `.execute(db);

  await notifyOf(db, 'tokens', 'token', ['update', 'delete']);
  await notifyOf(db, 'users', 'user', ['update', 'delete'], { update: SHOWN_CHANGED });
  await notifyOf(db, 'accounts', 'account', ['update', 'delete']);
  const all = ['insert', 'update', 'delete'] as const;
  await notifyOf(db, 'organizations', 'organization', all);
  await notifyOf(db, 'memberships', 'membership', all, {}, 'jsonb_build_array(organization_id, user_id)');
  await notifyOf(db, 'signing_keys', 'key', all);
}
