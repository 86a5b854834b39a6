import type { AuditEvent } from '@gatehouse/domain/audit';
import type { TokenLimitBroken } from '@gatehouse/domain/token-policy';
import type { Token, TokenInsertRefusal } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { auditJson } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { moment } from '../database/statements/conditions.ts';
import { holdsName } from './refusal-conditions.ts';
import { tokenRowOf } from './token-columns.ts';
import { FOUND, foundations, insertion, isCreatorUnfit, isKeyUnusable, REFUSAL } from './token-insertion.ts';

type RefusalCode = Exclude<TokenInsertRefusal, TokenLimitBroken>['code'];

/**
 * Checks again everything that an API token depends on, such as its user and its key, and inserts the token and its
 * events, in one statement. The caller has checked the rules of the account (`lockRules`).
 */
export async function insertToken(
  db: Queries,
  token: Token,
  ...events: readonly AuditEvent[]
): Promise<RefusalCode | undefined> {
  const row = tokenRowOf(token);
  const at = moment(token.createdAt);
  // If the token replaces another token, the role of its owner and its name are not checked: `rotateToken` has checked
  // who rotates, and the new token has the name of the replaced one.
  const isFirst = token.replaces === null;
  const { rows } = await sql<{ refusal: RefusalCode | null }>`
    with ${foundations(row)}, verdict as materialized (
      select case
        when ${isCreatorUnfit(at)} or (${isFirst} and owner.role <> 'admin' and owner.kind = 'person') then 'creator_not_fit'
        when ${isKeyUnusable(at)} then 'key_not_usable'
        -- tokens_pkey
        when exists (select from tokens where id = ${token.id}) then 'token_id_taken'
        -- tokens_api_name
        when ${isFirst} and exists (
          select from tokens
          where user_id = ${token.userId} and name = ${token.name}
            and ${holdsName(token.createdAt)}
        ) then 'token_name_taken'
      end as refusal
      from ${FOUND}
    ), ${insertion(row, auditJson(events))}
    select ${REFUSAL} as refusal from verdict`.execute(db);
  return rows[0]?.refusal ?? undefined;
}

/**
 * Lets only one transaction at a time give this name to a token of the user. A unique index cannot do that, because it
 * cannot express "not yet expired". The lock is a statement of its own, because the check of the name must begin after
 * the previous transaction has been committed. The account is locked before the name, in the same order as when tokens
 * are transferred.
 */
export async function reserveName(
  tx: Queries,
  { accountId, userId, name }: Pick<Token, 'accountId' | 'userId' | 'name'>,
): Promise<void> {
  await sql`select from accounts where id = ${accountId} for share`.execute(tx);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${userId}))`.execute(tx);
}
