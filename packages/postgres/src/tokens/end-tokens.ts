import type { AuditEvent } from '@gatehouse/domain/audit';
import { addMilliseconds, formatInstant, type Instant } from '@gatehouse/domain/time';
import {
  CLOCK_TOLERANCE_MS,
  isLive,
  type Revocation,
  type SignInBound,
  type Token,
  type TokenId,
  type TokenKind,
  type TokenRepository,
  tokenRevoked,
} from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { EXPIRY, isLiveAt } from './refusal-conditions.ts';
import { lockedBatches } from './token-batches.ts';
import { tokenColumns, toToken } from './token-columns.ts';

/**
 * Revokes the tokens that satisfy the condition, as a consequence of the event `cause`, and returns how many of them
 * were live. The caller must have locked the user or the key of these tokens, so that no further token is created
 * meanwhile.
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

/**
 * Revokes the user's tokens of these kinds as a consequence of the event `cause`, and returns how many were live.
 * Tokens that have just expired are revoked too, because a server whose clock is behind may still accept them. The
 * caller must have locked the user.
 */
export function endTokensOf(
  tx: Queries,
  userId: UserId,
  kinds: readonly TokenKind[],
  revocation: Revocation,
  cause: AuditEvent,
): Promise<number> {
  const mayBeAccepted = isLiveAt(addMilliseconds(revocation.at, -CLOCK_TOLERANCE_MS));
  // Uses the index tokens_live_of_user.
  const ofUser = sql<SqlBool>`user_id = ${userId} and kind = any(${kinds}::text[]) and ${mayBeAccepted}`;
  return endTokensWhere(tx, ofUser, revocation, cause);
}

/** Revokes these tokens, which the caller must have locked, as a consequence of the event `cause`. */
async function endTokens(
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

/**
 * Revokes a user's oldest sign-in tokens if the user has more than `keep`. Most users have fewer, and then nothing is
 * done except for one read.
 */
export function endOldestSignIns(db: Queries): TokenRepository['endOldestSignIns'] {
  return async (bound, revocation, cause) => {
    const surplus = await findSurplus(db, bound, revocation.at);
    if (surplus.length === 0) return 0;
    return db.transaction().execute(async (tx) => {
      // Uses the index tokens_pkey. Locked rows are skipped, because another transaction is ending these tokens.
      const rows = await tx
        .selectFrom('tokens')
        .select(tokenColumns)
        .where('tokens.id', 'in', surplus)
        .where('tokens.revoked_at', 'is', null)
        .forNoKeyUpdate()
        .skipLocked()
        .execute();
      await endTokens(tx, rows.map(toToken), revocation, cause);
      return rows.length;
    });
  };
}

async function findSurplus(db: Queries, { userId, keep, limit }: SignInBound, at: Instant) {
  // Reads at most `keep + limit` entries of the index tokens_live_of_user.
  const { rows } = await sql<{ id: TokenId }>`
    select id from (
      select tokens.id from tokens
      where tokens.user_id = ${userId} and tokens.kind = 'sign-in' and ${isLiveAt(at)}
      order by ${EXPIRY}, tokens.id limit ${keep + limit}
    ) as soonest
    where ${onPrimary}
    order by id desc offset ${keep}`.execute(db);
  return rows.map(({ id }) => id);
}
