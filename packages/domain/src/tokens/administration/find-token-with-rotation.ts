import { authorize, type Operator, type Principal, READ_TOKENS } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { err, ok, type Result } from '../../result.ts';
import type { TokenId } from '../token.ts';
import type { TokenNotFound } from '../token-repository.ts';
import { type TokenStatus, tokenStatus } from './token-status.ts';

/** A token with the other tokens of its rotation. */
export interface TokenWithRotation extends TokenStatus {
  /** The token that this one replaces, and the token that replaces it; null if there is none. */
  readonly predecessor: TokenStatus | null;
  readonly replacement: TokenStatus | null;
}

/** Finds a token that the caller may read with its rotation, in one read. Another account's token is not found. */
export async function findTokenWithRotation(
  { tokens, clock }: Ports<'tokens' | 'clock'>,
  caller: Principal | Operator,
  id: TokenId,
): Promise<Result<TokenWithRotation, TokenNotFound>> {
  const found = await tokens.findWithRotation(id);
  const token = found.find((each) => each.id === id);
  if (!token || !authorize(caller, READ_TOKENS, token).ok) return err({ code: 'token_not_found' });
  const now = clock.now();
  const statusOf = (other: TokenId | null | undefined) => {
    const details = found.find((each) => each.id === other);
    return details ? tokenStatus(details, now) : null;
  };
  return ok({
    ...tokenStatus(token, now),
    predecessor: statusOf(token.replaces?.tokenId),
    replacement: statusOf(token.successor),
  });
}
