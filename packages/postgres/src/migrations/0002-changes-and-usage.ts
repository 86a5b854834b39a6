import { type Kysely, sql } from 'kysely';

type Operation = 'insert' | 'update' | 'delete';

/**
 * For each operation, the transition tables of its trigger, which have the changed rows from before and after the
 * statement, and the query for the ids of these rows.
 */
const ROWS = {
  insert: { transition: 'new table as new_rows', ids: (id: string) => `select ${id} from new_rows` },
  update: {
    transition: 'old table as old_rows new table as new_rows',
    ids: (id: string) => `select ${id} from old_rows union select ${id} from new_rows`,
  },
  delete: { transition: 'old table as old_rows', ids: (id: string) => `select ${id} from old_rows` },
} as const;

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

async function notifyOf(
  db: Kysely<unknown>,
  table: string,
  kind: string,
  operations: readonly Operation[],
  changed: { readonly [operation in Operation]?: string } = {},
  id = 'id',
): Promise<void> {
  for (const operation of operations) {
    const { transition, ids } = ROWS[operation];
    const name = `${table}_notify_${operation}`;
    await sql`
      create trigger ${sql.id(name)} after ${sql.raw(operation)} on ${sql.table(table)}
        referencing ${sql.raw(transition)}
        for each statement execute function notify_change(${sql.lit(kind)}, ${sql.lit(changed[operation] ?? ids(id))});
      alter table ${sql.table(table)} enable always trigger ${sql.id(name)};
    `.execute(db);
  }
  const truncated = sql.id(`${table}_notify_truncate`);
  await sql`
    create trigger ${truncated} after truncate on ${sql.table(table)}
      for each statement execute function notify_change(${sql.lit(kind)});
    alter table ${sql.table(table)} enable always trigger ${truncated};
  `.execute(db);
}
