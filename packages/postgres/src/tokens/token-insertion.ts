import { type RawBuilder, sql } from 'kysely';
import { auditColumns, auditRecordsIn } from '../audit/audit-events.ts';
import { type Condition, type Moment, or } from '../database/statements/conditions.ts';
import { reasonsOf, refuses } from './refusal-conditions.ts';
import { insertedColumns, insertedValues, type TokenRow } from './token-columns.ts';

/*
 * The parts of a statement that locks and checks the rows on which a token depends, and inserts the token with its events:
 * `foundations`, a `verdict` with the column `refusal`, `insertion`, and `REFUSAL` selected from `verdict`.
 *
 * Each part that locks reads from the part before, so that the order of locks is fixed: account, user, key. If another
 * transaction is changing such a row, the statement waits, and then reads the new row: PostgreSQL reads a row again once it
 * has the lock. Under READ COMMITTED this holds for locked rows only. Everything else that the verdict reads must have been
 * settled before the statement began (see `reserveName`). If two tokens with one id are inserted at once, the second waits
 * at the primary key.
 */

/** Locks what a token depends on, as parts of a statement. */
export function foundations(
  token: Pick<TokenRow, 'account_id' | 'user_id' | 'key_id' | 'format'>,
): RawBuilder<unknown> {
  return sql`
    account as (
      select id, suspended_at from accounts where id = ${token.account_id} for share
    ), owner as (
      select users.id, users.role, users.disabled_at, users.password_hash
      from users join account on account.id = users.account_id
      where users.id = ${token.user_id} for share of users
    ), key as (
      select signing_keys.id, signing_keys.state from signing_keys cross join owner
      where signing_keys.id = ${token.key_id} and signing_keys.format = ${token.format}
      for share of signing_keys
    )`;
}

/** The rows that `foundations` found, as a single row in a FROM list. */
export const FOUND = sql`
  (values (1)) as always left join account on true left join owner on true left join key on true`;

/** The names, in `foundations`, of the rows that are checked. */
const NAMES = { accounts: 'account', users: 'owner', signing_keys: 'key' } as const;

/** Whether the row was not found, or refuses every token that depends on it. */
function isUnfit(table: keyof typeof NAMES, at: Moment): Condition {
  const name = NAMES[table];
  return or(sql.raw(`${name}.id is null`), ...reasonsOf(table).map((reason) => refuses(reason, at, name)));
}

/** Whether the user or the account permits no token; `insertToken` adds the condition of API tokens. */
export const isCreatorUnfit = (at: Moment): Condition => or(isUnfit('accounts', at), isUnfit('users', at));

/** Whether no new token may be signed by the key. A staged key is not usable yet, which refuses no stored token. */
export const isKeyUnusable = (at: Moment): Condition =>
  or(isUnfit('signing_keys', at), sql`key.state not in ('active', 'verify-only')`);

/** Inserts the token, unless `verdict` has a refusal, with the events that `auditJson` made. */
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

/** Selects the refusal in `verdict`, or a refusal because the id was in use. */
export const REFUSAL = sql`
  coalesce(refusal, case when not exists (select from inserted) then 'token_id_taken' end)`;
