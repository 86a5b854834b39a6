import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import type { UserTurn } from '../database/pool/fair-reads.ts';

/**
 * The maximum number of ended tokens that are remembered, some hundred bytes each; beyond that the oldest is
 * forgotten.
 */
const MAX_ENDED_TOKENS = 10_000;

/**
 * Makes known ended tokens take no turns from their user, who did not necessarily send them: otherwise a client with
 * an old token could fill the user's queue. All ended tokens of a user share one turn, so that many of them take no
 * more from other users than one.
 */
export function createReadTurns() {
  const ended = new Set<TokenId>();
  return {
    /** Returns the key whose turn a read of the token's record takes. */
    turnOf: (id: TokenId, subject: UserId): UserTurn => (ended.has(id) ? `ended ${subject}` : subject),
    /** Remembers that a token does not exist or was revoked, which is final. */
    ended(id: TokenId): void {
      ended.add(id);
      const [oldest] = ended;
      if (ended.size > MAX_ENDED_TOKENS && oldest !== undefined) ended.delete(oldest);
    },
  };
}
