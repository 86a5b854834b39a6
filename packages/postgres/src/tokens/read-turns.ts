import type { TokenId, TokenRecord, TokenRepository } from '@gatehouse/domain/tokens';
import { ofEndedTokens } from '../database/pool/askers.ts';

/**
 * The maximum number of ended tokens that are remembered, some hundred bytes each; beyond that the oldest is
 * forgotten.
 */
const MAX_ENDED_TOKENS = 10_000;

/**
 * Reads ended tokens apart from their user's other tokens: otherwise a client with an old token could fill the user's
 * queue. All ended tokens of a user share one turn, so many of them take no more from other users than one.
 */
export function withTurnsOfEndedTokens(tokens: TokenRepository): TokenRepository {
  /** Tokens that do not exist or were revoked, which is final. */
  const ended = new Set<TokenId>();

  function note(id: TokenId, record: TokenRecord | undefined): TokenRecord | undefined {
    if (record && record.revocation === null) return record;
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > MAX_ENDED_TOKENS && oldest !== undefined) ended.delete(oldest);
    return record;
  }

  return {
    ...tokens,
    async findRecord(id) {
      const record = ended.has(id) ? ofEndedTokens(() => tokens.findRecord(id)) : tokens.findRecord(id);
      return note(id, await record);
    },
  };
}
