import type { Instant } from '../time/instant.ts';
import type { Token } from './token.ts';

/** Whether the token itself is good: neither revoked nor expired, whatever became of its user, account and key. */
export function isLive({ revocation, expiresAt }: Token, now: Instant): boolean {
  return revocation === null && (expiresAt === null || now < expiresAt);
}
