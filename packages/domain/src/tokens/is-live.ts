import type { Instant } from '../time/instant.ts';
import type { Token } from './token.ts';

/** Whether the token is neither revoked nor expired, regardless of its user, account and key. */
export function isLive({ revocation, expiresAt }: Token, now: Instant): boolean {
  return revocation === null && (expiresAt === null || now < expiresAt);
}

/**
 * One day: more than the clocks of two machines should differ. A token that expired longer ago has expired on all
 * machines; one that expired later may still be accepted on a machine whose clock is behind.
 */
export const CLOCK_TOLERANCE_MS = 86_400_000;
