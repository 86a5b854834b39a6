import { authorized, READ_TOKENS } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import type { Email } from '../../users/email.ts';
import { rotationProblem, type TokenNotRotatable } from '../rotation/rotation.ts';
import type { Token, TokenId } from '../token.ts';
import type { TokenUsageWithAddresses } from '../usage/token-usage.ts';
import { findTokenWithRotation, type TokenWithRotation } from './find-token-with-rotation.ts';

/** Who revoked a token, as its account may see it: without the name of an operator. */
export type Revoker =
  /** `for` is the email of the user for whom the operator acted. */
  { readonly kind: 'operator'; readonly for?: Email } | { readonly kind: 'user'; readonly email: Email };

/** A token with the facts that matter before it is ended or replaced: where it is used, and whether it has already ended. */
export interface TokenInUse extends TokenWithRotation {
  readonly usage: TokenUsageWithAddresses;
  /** Null if the token was not revoked. */
  readonly revokedBy: Revoker | null;
  /** Why it cannot be rotated now; null if it can. */
  readonly obstacle: TokenNotRotatable | null;
}

/** Shows one token with its use, without its history, in at most three reads. Another account's token is not found. */
export const showTokenUse = authorized(
  READ_TOKENS,
  ({ tokens, users, clock }: Ports<'tokens' | 'users' | 'clock'>) =>
    async (caller, id: TokenId) => {
      const found = await findTokenWithRotation({ tokens, clock }, caller, id);
      if (!found.ok) return found;
      const token = found.value;
      const [usage, revokedBy] = await Promise.all([tokens.findUsage(id), revokerOf(users, token)]);
      const obstacle = rotationProblem(token, token.predecessor ?? undefined, token.at) ?? null;
      return ok<TokenInUse>({ ...token, usage, revokedBy, obstacle });
    },
);

async function revokerOf(users: Ports<'users'>['users'], { revocation }: Token): Promise<Revoker | null> {
  if (revocation === null) return null;
  const { by } = revocation;
  const id = by.kind === 'user' ? by.id : by.kind === 'operator' ? by.for : undefined;
  const user = id && (await users.findById(id));
  if (by.kind !== 'user') return { kind: 'operator', ...(user && { for: user.email }) };
  return user ? { kind: 'user', email: user.email } : null;
}
