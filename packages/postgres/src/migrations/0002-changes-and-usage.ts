import { type Kysely, sql } from 'kysely';

type Operation = 'insert' | 'update' | 'delete';

/** The rows of a statement, by what they held before and what they hold after it. */
const ROWS = {
  insert: { transition: 'new table as new_rows', ids: (id: string) => `select ${id} from new_rows` },
  update: {
    transition: 'old table as old_rows new table as new_rows',
    ids: (id: string) => `select ${id} from old_rows union select ${id} from new_rows`,
  },
  delete: { transition: 'old table as old_rows', ids: (id: string) => `select ${id} from old_rows` },
} as const;

/** All that is shown of a user. A password's new hash is written at sign-ins, and ends nothing by itself. */
const SHOWN = 'id, account_id, email, name, role, created_at, disabled_at';
const SHOWN_CHANGED = `select id from (
  select ${SHOWN} from old_rows except select ${SHOWN} from new_rows) as changed`;

/**
 * Tells of changes as they are committed, and keeps when tokens were used.
 *
 * One notification on commit for each statement that changed what a verdict or an answer rests on. A row that
 * comes into being changes none where absence is never remembered: tokens, users, accounts.
 *
 * Triggers with transition tables take no list of columns, hence the comparison; a statement has one TRUNCATE
 * trigger at most. They fire for a session in replica mode, too.
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
