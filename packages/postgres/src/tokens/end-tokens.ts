import type { AuditEvent } from '@gatehouse/domain/audit';
import { addMilliseconds, formatInstant } from '@gatehouse/domain/time';
import {
  CLOCK_TOLERANCE_MS,
  isLive,
  type Revocation,
  TOKEN_KINDS,
  type Token,
  tokenRevoked,
} from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Schema } from '../database/schema.ts';
import { isLiveAt } from './live-tokens.ts';
import { forEachBatch } from './token-batches.ts';

/**
 * Revokes the user's tokens that may still be accepted by some server, as a consequence of `cause`, and returns how
 * many were live. The caller holds the user's row, so that no token is created meanwhile.
 */
export async function endTokensOf(
  tx: Kysely<Schema>,
  { userId, kinds }: { readonly userId: UserId; readonly kinds: 'all' | 'sign-in' },
  revocation: Revocation,
  cause: AuditEvent,
): Promise<number> {
  // tokens_live_of_user
  const ended = kinds === 'all' ? TOKEN_KINDS : [kinds];
  const mayBeGood = isLiveAt(addMilliseconds(revocation.at, -CLOCK_TOLERANCE_MS));
  const condition = sql<SqlBool>`user_id = ${userId} and kind = any(${ended}::text[]) and ${mayBeGood}`;
  let live = 0;
  await forEachBatch(tx, condition, async (tokens) => {
    live += tokens.filter((token) => isLive(token, revocation.at)).length;
    await endTokens(tx, tokens, revocation, cause);
  });
  return live;
}

/** Revokes these tokens, which the caller has locked, as a consequence of `cause`. */
export async function endTokens(
  tx: Kysely<Schema>,
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
