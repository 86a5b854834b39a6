import { TOKEN_KINDS, type TokenDetails } from '@gatehouse/domain/tokens';
import type { UserRepository } from '@gatehouse/domain/users';
import type { Queries } from '../database/schema.ts';
import { EXPIRY, isLiveAt } from './refusal-conditions.ts';
import { selectTokenDetails, toTokenDetails } from './token-records.ts';

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
