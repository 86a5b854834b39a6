import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import type { Turn } from '../database/fair-reads.ts';

/** Tokens that are remembered, some hundred bytes each; beyond them the oldest is forgotten. */
const MAX_ENDED_TOKENS = 10_000;

export interface ReadTurns {
  /** Whose turn it takes to read the record of a token. */
  turnOf(id: TokenId, subject: UserId): Turn;
  /** Remembers that a token is not there, or was revoked, which stays so. */
  ended(id: TokenId): void;
}

/**
 * Tokens that are known to have ended take no turns from their user, who did not necessarily send them: a client with an
 * old token could otherwise fill the user's places. All ended tokens of a user have one turn together, so that many of them
 * take no more from other users than one.
 */
export function createReadTurns(): ReadTurns {
  const ended = new Set<TokenId>();
  return {
    turnOf: (id, subject) => (ended.has(id) ? `ended ${subject}` : subject),
    ended(id) {
      ended.add(id);
      const [oldest] = ended;
      if (ended.size > MAX_ENDED_TOKENS && oldest !== undefined) ended.delete(oldest);
    },
  };
}
