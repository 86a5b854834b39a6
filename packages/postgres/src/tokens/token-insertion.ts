import { type RawBuilder, sql } from 'kysely';
import { auditColumns, auditRecordsIn } from '../audit/audit-events.ts';
import { type Condition, type Moment, or } from '../database/statements/conditions.ts';
import { reasonsOf, refuses } from './refusal-conditions.ts';
import { insertedColumns, insertedValues, type TokenRow } from './token-columns.ts';

/*
 * These functions return the parts of a statement that locks and checks the rows on which a token depends, and inserts
 * the token with its events: `foundations`, a `verdict` with the column `refusal`, `insertion`, and `REFUSAL` selected
 * from `verdict`.
 *
 * Each part that locks rows reads from the previous part, so that the order of locks is fixed: account, user, key. If
 * another transaction is changing one of these rows, the statement waits. Then it reads the new row, because PostgreSQL
 * reads a row again once it has the lock. Under READ COMMITTED, PostgreSQL does that for locked rows only. Everything
 * else that `verdict` reads must be committed before the statement begins (see `reserveName`). If two tokens with the
 * same id are inserted at once, the second statement waits at the primary key.
 */

/** Returns the parts of the statement that lock the account, the user and the key on which a token depends. */
export function foundations(
  token: Pick<TokenRow, 'account_id' | 'user_id' | 'key_id' | 'format'>,
): RawBuilder<unknown> {
  return sql`
    account as (
      select id, suspended_at, second_factor from accounts where id = ${token.account_id} for share
    ), owner as (
      select users.id, users.kind, users.role, users.disabled_at, users.confirmed_until,
        users.password_hash, users.second_factor_at
      from users join account on account.id = users.account_id
      where users.id = ${token.user_id} for share of users
    ), key as (
      select signing_keys.id, signing_keys.state from signing_keys cross join owner
      where signing_keys.id = ${token.key_id} and signing_keys.format = ${token.format}
      for share of signing_keys
    )`;
}

/** The rows that `foundations` found, joined to one row in a FROM list. */
export const FOUND = sql`
  (values (1)) as always left join account on true left join owner on true left join key on true`;

/** The names that `foundations` gives to the rows that are checked, by table. */
const NAMES = { accounts: 'account', users: 'owner', signing_keys: 'key' } as const;

/** The condition that the row was not found, or that it refuses every token that depends on it. */
function isUnfit(table: keyof typeof NAMES, at: Moment): Condition {
  const name = NAMES[table];
  return or(sql.raw(`${name}.id is null`), ...reasonsOf(table).map((reason) => refuses(reason, at, name)));
}

/**
 * The condition that the user or the account is not allowed to have tokens, for example because the user is disabled.
 * `insertToken` also requires that a person is an admin.
 */
export const isCreatorUnfit = (at: Moment): Condition => or(isUnfit('accounts', at), isUnfit('users', at));

/**
 * The condition that no new token may be signed by the key. A key that is not active yet (staged) cannot sign, although
 * it refuses no stored token.
 */
export const isKeyUnusable = (at: Moment): Condition =>
  or(isUnfit('signing_keys', at), sql`key.state not in ('active', 'verify-only')`);

/** Inserts the token and the events that `auditJson` returned, unless `verdict` has a refusal. */
export function insertion(row: TokenRow, events: string): RawBuilder<unknown> {
  return sql`
    inserted as (
      insert into tokens ${insertedColumns}
      select ${insertedValues(row)} from verdict where refusal is null
      on conflict (id) do nothing
      returning id
    ), recorded as (
      insert into audit_events ${auditColumns}
      select event.* from inserted cross join ${auditRecordsIn(events)}
    )`;
}

/**
 * Selects the refusal in `verdict`. If the token was not inserted because its id was in use, selects that as the
 * refusal.
 */
export const REFUSAL = sql`
  coalesce(refusal, case when not exists (select from inserted) then 'token_id_taken' end)`;
