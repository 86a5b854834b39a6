import { type AccessDenied, type Action, authorize } from '../access/authorize.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { err, ok, type Result } from '../result.ts';
import type { Grant, TokenId } from './token.ts';
import type { TokenNotFound, TokenRepository } from './token-repository.ts';

/** The token with this id, if the caller may do this with it; another account's is not found. */
export async function findToken(
  tokens: TokenRepository,
  caller: Principal | Operator,
  action: Action,
  id: TokenId,
): Promise<Result<Grant, AccessDenied | TokenNotFound>> {
  const allowed = authorize(caller, action);
  if (!allowed.ok) return allowed;
  const grant = await tokens.findGrant(id);
  if (!grant) return err({ code: 'token_not_found' });
  const owned = authorize(caller, action, { accountId: grant.token.accountId });
  return owned.ok ? ok(grant) : err({ code: 'token_not_found' });
}
