import { authorized, READ_TOKENS } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import type { Email } from '../../users/email.ts';
import type { UserId } from '../../users/user.ts';
import { rotationProblem, type TokenNotRotatable } from '../rotation/rotation.ts';
import { isLive, type Token, type TokenId } from '../token.ts';
import type { TokenUsageWithAddresses } from '../usage/token-usage.ts';
import { findToken } from './find-token-by-reference.ts';
import { type TokenStatus, tokenStatus } from './token-status.ts';

/** Who revoked a token, as its account may know it: to an account, an operator has no name. */
export type Revoker = { readonly kind: 'operator' } | { readonly kind: 'user'; readonly email: Email };

/** What an admin has to know before ending or replacing a token: where it is used, and whether it ended already. */
export interface TokenInUse extends TokenStatus {
  readonly usage: TokenUsageWithAddresses;
  /** Null if the token was not revoked. */
  readonly revokedBy: Revoker | null;
  /** Why it cannot be rotated now; null if it can. */
  readonly obstacle: TokenNotRotatable | null;
}

/** Shows one token with its use, without its history. Another account's token is not found. */
export const showTokenUse = authorized(
  READ_TOKENS,
  ({ tokens, users, clock }: Ports<'tokens' | 'users' | 'clock'>) =>
    async (caller, id: TokenId) => {
      const found = await findToken(tokens, caller, READ_TOKENS, id);
      if (!found.ok) return found;
      const token = found.value;
      const now = clock.now();
      const [usage, revokedBy, predecessor] = await Promise.all([
        tokens.findUsage(id),
        revokerOf(users, token),
        // Nothing else is asked about a token that has ended.
        token.replaces && isLive(token, now) ? tokens.findRecord(token.replaces.tokenId) : undefined,
      ]);
      const obstacle = rotationProblem(token, predecessor, now) ?? null;
      return ok<TokenInUse>({ ...tokenStatus(token, now), usage, revokedBy, obstacle });
    },
);

async function revokerOf(
  users: Ports<'users'>['users'],
  { accountId, revocation }: Token,
): Promise<Revoker | null> {
  if (revocation?.by.kind !== 'user') return revocation && { kind: 'operator' };
  const after = (revocation.by.id - 1) as UserId;
  const [user] = await users.list({ accountId, after, limit: 1 });
  return user ? { kind: 'user', email: user.email } : null;
}
