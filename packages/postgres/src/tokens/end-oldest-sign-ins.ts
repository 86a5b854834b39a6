import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import type { Revocation, SignInBound, TokenId } from '@gatehouse/domain/tokens';
import { type Kysely, sql } from 'kysely';
import { onPrimary } from '../database/primary-only.ts';
import type { Schema } from '../database/schema.ts';
import { endTokens } from './end-tokens.ts';
import { EXPIRY, isLiveAt } from './live-tokens.ts';
import { tokenColumns, toToken } from './token-records.ts';

/** See `TokenRepository.endOldestSignIns`. Usually a single read, which finds none to end. */
export async function endOldestSignIns(
  db: Kysely<Schema>,
  bound: SignInBound,
  revocation: Revocation,
  cause: AuditEvent,
): Promise<number> {
  const surplus = await findSurplus(db, bound, revocation.at);
  if (surplus.length === 0) return 0;
  return db.transaction().execute(async (tx) => {
    // tokens_pkey. Skips locked rows: what another transaction ends need not be ended here.
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
}

async function findSurplus(
  db: Kysely<Schema>,
  { userId, keep, limit }: SignInBound,
  at: Instant,
): Promise<readonly TokenId[]> {
  // tokens_live_of_user, no further than `keep + limit`, however many there are
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
