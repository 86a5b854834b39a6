import { type AccessDenied, type Action, authorize } from '../../access/authorize.ts';
import type { Operator, Principal } from '../../access/caller.ts';
import { err, ok, type Result } from '../../result.ts';
import type { TokenId } from '../token.ts';
import type { TokenNotFound, TokenRepository } from '../token-repository.ts';
import type { TokenDetails } from './token-status.ts';

/** The token with this id, if the caller may do this with it; another account's is not found. */
export async function findToken(
  tokens: Pick<TokenRepository, 'find'>,
  caller: Principal | Operator,
  action: Action,
  id: TokenId,
): Promise<Result<TokenDetails, AccessDenied | TokenNotFound>> {
  const allowed = authorize(caller, action);
  if (!allowed.ok) return allowed;
  const entry = await tokens.find(id);
  if (!entry) return err({ code: 'token_not_found' });
  const owned = authorize(caller, action, { accountId: entry.accountId });
  return owned.ok ? ok(entry) : err({ code: 'token_not_found' });
}
