import { clientNetwork } from '@gatehouse/domain';
import type { SessionSecretHash } from '@gatehouse/domain/sessions';
import type { UserId } from '@gatehouse/domain/users';
import type { Turn } from '../database/pool/fair-reads.ts';

/** The maximum number of sessions that are remembered, some hundred bytes each; beyond that the oldest is forgotten. */
const MAX_KNOWN_SESSIONS = 10_000;

/**
 * Decides whose turn the read of a session takes: its user's, once this process has found it. Until then its secret may be
 * made up, and the turn is the network's: signed-in users do not wait behind clients that send such secrets.
 */
export function createSessionTurns() {
  const users = new Map<SessionSecretHash, UserId>();
  return {
    turnOf: (secretHash: SessionSecretHash, address: string): Turn =>
      users.get(secretHash) ?? `network ${clientNetwork(address)}`,
    found(secretHash: SessionSecretHash, userId: UserId): void {
      users.set(secretHash, userId);
      const [oldest] = users.keys();
      if (users.size > MAX_KNOWN_SESSIONS && oldest !== undefined) users.delete(oldest);
    },
    ended: (secretHash: SessionSecretHash): void => void users.delete(secretHash),
  };
}
