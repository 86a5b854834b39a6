import type { Instant } from '../time/instant.ts';
import type { Token } from './token.ts';

/** Whether the token itself is good: neither revoked nor expired, whatever became of its user, account and key. */
export function isLive({ revocation, expiresAt }: Token, now: Instant): boolean {
  return revocation === null && (expiresAt === null || now < expiresAt);
}

/**
 * A day, by which no two machines' clocks should differ. What expired longer ago has ended for everybody, and
 * what expired lately may still be good on a machine that is behind.
 */
export const CLOCK_TOLERANCE_MS = 86_400_000;
