import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { err, ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { TokenId } from './token.ts';
import { type TokenReport, tokenReport } from './token-report.ts';
import type { TokenNotFound, TokenRepository } from './token-repository.ts';

export interface ShowTokenPorts {
  readonly tokens: TokenRepository;
  readonly clock: Clock;
}

export type ShowToken = (
  caller: Principal | Operator,
  id: TokenId,
) => Promise<Result<TokenReport, AccessDenied | TokenNotFound>>;

/** Shows one token; another account's is not found. */
export function showToken({ tokens, clock }: ShowTokenPorts): ShowToken {
  return async (caller, id) => {
    const allowed = authorize(caller, 'tokens:read');
    if (!allowed.ok) return allowed;
    const grant = await tokens.findGrant(id);
    if (!grant) return err({ code: 'token_not_found' });
    const owned = authorize(caller, 'tokens:read', { accountId: grant.token.accountId, isMember: false });
    return owned.ok ? ok(tokenReport(grant, clock.now())) : err({ code: 'token_not_found' });
  };
}
