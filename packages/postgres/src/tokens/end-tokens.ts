import type { AuditEvent } from '@gatehouse/domain/audit';
import { addMilliseconds, formatInstant } from '@gatehouse/domain/time';
import type { Revocation, Token, TokenKind } from '@gatehouse/domain/tokens';
import { CLOCK_TOLERANCE_MS, isLive, tokenRevoked } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { isLiveAt } from './refusal-conditions.ts';
import { lockedBatches } from './token-batches.ts';

/**
 * Revokes the tokens that satisfy the condition, as a consequence of `cause`, and returns how many were live. The
 * caller holds the row of their user or key, so no token is created meanwhile.
 */
export async function endTokensWhere(
  tx: Queries,
  condition: RawBuilder<SqlBool>,
  revocation: Revocation,
  cause: AuditEvent,
): Promise<number> {
  let live = 0;
  for await (const tokens of lockedBatches(tx, condition)) {
    live += tokens.filter((token) => isLive(token, revocation.at)).length;
    await endTokens(tx, tokens, revocation, cause);
  }
  return live;
}

/** Revokes the user's tokens of these kinds that some server may still accept, as `endTokensWhere` does. */
export function endTokensOf(
  tx: Queries,
  userId: UserId,
  kinds: readonly TokenKind[],
  revocation: Revocation,
  cause: AuditEvent,
): Promise<number> {
  const mayBeAccepted = isLiveAt(addMilliseconds(revocation.at, -CLOCK_TOLERANCE_MS));
  // tokens_live_of_user
  const ofUser = sql<SqlBool>`user_id = ${userId} and kind = any(${kinds}::text[]) and ${mayBeAccepted}`;
  return endTokensWhere(tx, ofUser, revocation, cause);
}

/** Revokes these tokens, which the caller has locked, as a consequence of `cause`. */
export async function endTokens(
  tx: Queries,
  tokens: readonly Token[],
  revocation: Revocation,
  { actor, origin, at }: AuditEvent,
): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({
      revoked_at: formatInstant(revocation.at),
      revoked_by: JSON.stringify(revocation.by),
      revoked_reason: revocation.reason,
    })
    .where(sql<SqlBool>`id = any(${tokens.map(({ id }) => id)}::uuid[])`)
    .execute();
  const events = tokens.map((token) => ({ ...tokenRevoked(token, revocation), actor, origin, at }));
  await insertAuditEvents(tx, events);
}
