import type { Instant } from '@gatehouse/domain/time';
import type { SignInBound, TokenId, TokenRepository } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { endTokens } from './end-tokens.ts';
import { EXPIRY, isLiveAt } from './refusal-conditions.ts';
import { tokenColumns, toToken } from './token-columns.ts';

/** In the usual case there is none to end, and this is a single read. */
export function endOldestSignIns(db: Queries): TokenRepository['endOldestSignIns'] {
  return async (bound, revocation, cause) => {
    const surplus = await findSurplus(db, bound, revocation.at);
    if (surplus.length === 0) return 0;
    return db.transaction().execute(async (tx) => {
      // tokens_pkey. Skips locked rows: another transaction ends those.
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
  // tokens_live_of_user, read up to `keep + limit` rows, however many there are
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
