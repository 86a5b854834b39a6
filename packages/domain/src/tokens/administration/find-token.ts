import { authorize } from '../../access/authorize.ts';
import type { Operator, Principal } from '../../access/caller.ts';
import type { Rule } from '../../access/rules.ts';
import { err, ok, type Result } from '../../result.ts';
import type { TokenId } from '../token.ts';
import type { TokenNotFound, TokenRepository } from '../token-repository.ts';
import type { TokenDetails } from './token-status.ts';

/** Finds the token with this id if the rule allows the caller to act on it; another account's token is not found. */
export async function findToken(
  tokens: TokenRepository,
  caller: Principal | Operator,
  rule: Rule,
  id: TokenId,
): Promise<Result<TokenDetails, TokenNotFound>> {
  const token = await tokens.find(id);
  return token && authorize(caller, rule, token).ok ? ok(token) : err({ code: 'token_not_found' });
}
