import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { TokenId } from './token.ts';
import { type TokenReport, tokenReport } from './token-report.ts';
import type { TokenRepository } from './token-repository.ts';

export interface ListTokensPorts {
  readonly tokens: TokenRepository;
  readonly clock: Clock;
}

export type ListTokens = (
  caller: Principal | Operator,
  page: { readonly after?: TokenId; readonly limit: number },
) => Promise<Result<readonly TokenReport[], AccessDenied>>;

/** Lists tokens by age: an admin sees the account's, the operator all. */
export function listTokens({ tokens, clock }: ListTokensPorts): ListTokens {
  return async (caller, page) => {
    const allowed = authorize(caller, 'tokens:read');
    if (!allowed.ok) return allowed;
    const filter = caller.kind === 'operator' ? page : { ...page, accountId: caller.accountId };
    const grants = await tokens.list(filter);
    const usage = await tokens.findUsage(grants.map((grant) => grant.token.id));
    const now = clock.now();
    return ok(grants.map((grant) => tokenReport(grant, usage.get(grant.token.id), now)));
  };
}
