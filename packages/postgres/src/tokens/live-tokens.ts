import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { TOKEN_KINDS, type TokenDetails } from '@gatehouse/domain/tokens';
import type { UserRepository } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { selectTokenDetails, toTokenDetails } from './token-records.ts';

/** A token's expiry, in the form of the indexes tokens_live and tokens_live_of_user. */
export const EXPIRY: RawBuilder<Instant> = sql`coalesce(tokens.expires_at, 'infinity')`;

/** The condition of the domain's `isLive`. */
export function isLiveAt(at: Instant): RawBuilder<SqlBool> {
  return isLiveSince(formatInstant(at));
}

/** The same with a formatted instant. */
export function isLiveSince(at: string): RawBuilder<SqlBool> {
  return sql`(tokens.revoked_at is null and ${EXPIRY} > ${at}::timestamptz)`;
}

/** Selects the user's live tokens: API tokens first, then by expiry. */
export function listLiveTokens(db: Queries): UserRepository['listLiveTokens'] {
  return async (userId, { at, limit }) => {
    const found: TokenDetails[] = [];
    for (const kind of TOKEN_KINDS) {
      if (found.length >= limit) break;
      // tokens_live_of_user: selects the ids first, so that only those rows are joined.
      const ids = db
        .selectFrom('tokens')
        .select('tokens.id')
        .where('tokens.user_id', '=', userId)
        .where('tokens.kind', '=', kind)
        .where(isLiveAt(at))
        .orderBy(EXPIRY)
        .limit(limit - found.length);
      const tokens = selectTokenDetails(db)
        .where('tokens.id', 'in', ids)
        .orderBy(EXPIRY)
        .orderBy('tokens.id');
      found.push(...(await tokens.execute()).map(toTokenDetails));
    }
    return found;
  };
}
