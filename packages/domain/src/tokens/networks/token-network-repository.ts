import type { NotAllowed } from '../../access/index.ts';
import type { AuditEvent } from '../../audit/audit-event.ts';
import type { Result } from '../../result.ts';
import type { Instant } from '../../time/instant.ts';
import type { NetworksRequired } from '../../token-policy/token-limit.ts';
import type { Token, TokenId } from '../token.ts';
import type { TokenNotFound } from '../token-repository.ts';
import type { TokenNetworks } from './token-networks.ts';

/** The error if the networks of a token cannot be changed, because it is a sign-in token or has ended. */
export interface NetworksNotSettable {
  readonly code: 'networks_not_settable';
  readonly reason: 'sign_in' | 'revoked' | 'expired';
}

/** A token before and after its networks were set. */
export interface NetworksSet {
  readonly before: Token;
  readonly after: Token;
}

/**
 * Stores from which networks tokens may be used. Implementations pass `tokenNetworksContract`.
 */
export interface TokenNetworkRepository {
  /**
   * Locks the token against change, and sets its networks; null removes them. The change is durable when the promise
   * resolves, and deletes the requests that were recorded for the former networks. If the token has the same networks
   * already, nothing is changed, and the audit log has no event. The actor of the event must still be an active admin
   * of the account when the token is locked. Rules that demand networks are checked under the lock of the account:
   * enforced networks are not taken away then.
   */
  set(
    id: TokenId,
    networks: TokenNetworks | null,
    at: Instant,
    audit: (before: Token, after: Token) => AuditEvent,
  ): Promise<Result<NetworksSet, NotAllowed | TokenNotFound | NetworksNotSettable | NetworksRequired>>;
}

/** Returns why the networks of a token cannot be changed; undefined if they can. */
export function networksProblem(
  { kind, revocation, expiresAt }: Token,
  now: Instant,
): NetworksNotSettable | undefined {
  const code = 'networks_not_settable';
  if (kind === 'sign-in') return { code, reason: 'sign_in' };
  if (revocation !== null) return { code, reason: 'revoked' };
  return expiresAt !== null && now >= expiresAt ? { code, reason: 'expired' } : undefined;
}
