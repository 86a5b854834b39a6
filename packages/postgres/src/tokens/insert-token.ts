import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Token, TokenInsertRefusal } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { auditColumns, auditRecords } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { holdsName } from './token-names.ts';
import { tokenRow, tokenRowColumns, tokenRowOf } from './token-row.ts';

/**
 * Checks again everything that an API token depends on, and inserts it with its event, in one statement.
 *
 * Each `with` that locks depends on the previous one, so the order is fixed: account, user, key. A row that is being
 * changed is waited for and then read in its new state, because PostgreSQL reads a row again once it has the lock.
 * Under READ COMMITTED that holds for locked rows only: everything else that decides must have been settled before
 * this statement began (see `reserveName`). Of two concurrent tokens with one id, the second waits at the primary key.
 */
export async function insertToken(
  db: Queries,
  token: Token,
  ...events: readonly AuditEvent[]
): Promise<TokenInsertRefusal['code'] | undefined> {
  // Everything else that a successor depends on was checked when its predecessor was locked (see `rotateToken`).
  const isFirst = token.replaces === null;
  const { rows } = await sql<{ refusal: TokenInsertRefusal['code'] | null }>`
    with ${foundations(token)}, verdict as materialized (
      select case
        when account.id is null or account.suspended_at is not null
          or owner.role is null or owner.disabled_at is not null
          or (${isFirst} and owner.role <> 'admin') then 'creator_not_fit'
        when key.state is null or key.state not in ('active', 'verify-only') then 'key_not_usable'
        -- tokens_pkey
        when exists (select from tokens where id = ${token.id}) then 'token_id_taken'
        -- tokens_api_name
        when ${isFirst} and exists (
          select from tokens
          where user_id = ${token.userId} and name = ${token.name}
            and ${holdsName(token.createdAt)}
        ) then 'token_name_taken'
      end as refusal
      from (values (1)) as always left join account on true left join owner on true left join key on true
    ), inserted as (
      insert into tokens ${tokenRowColumns}
      select ${tokenRow(tokenRowOf(token))}
      from verdict where refusal is null
      on conflict (id) do nothing
      returning id
    ), recorded as (
      insert into audit_events ${auditColumns}
      select event.* from inserted cross join ${auditRecords(events)}
    )
    select coalesce(refusal, case when not exists (select from inserted) then 'token_id_taken' end) as refusal
    from verdict`.execute(db);
  return rows[0]?.refusal ?? undefined;
}

/** Locks what a token depends on, as parts of a statement. */
export function foundations(
  token: Pick<Token, 'accountId' | 'userId' | 'keyId' | 'format'>,
): RawBuilder<unknown> {
  return sql`
    account as (
      select id, suspended_at from accounts where id = ${token.accountId} for share
    ), owner as (
      select users.role, users.disabled_at, users.password_hash
      from users join account on account.id = users.account_id
      where users.id = ${token.userId} for share of users
    ), key as (
      select signing_keys.state from signing_keys cross join owner
      where signing_keys.id = ${token.keyId} and signing_keys.format = ${token.format}
      for share of signing_keys
    )`;
}

/**
 * Serializes the creation and renaming of tokens to one name until the transaction ends. No index can express "not yet expired",
 * and a statement does not see what was committed after it began, so this is a separate statement before. Locks the
 * account first, because a transfer of tokens of that name to the user holds it.
 */
export async function reserveName(
  tx: Queries,
  { accountId, userId, name }: Pick<Token, 'accountId' | 'userId' | 'name'>,
): Promise<void> {
  await sql`select from accounts where id = ${accountId} for share`.execute(tx);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${userId}))`.execute(tx);
}
