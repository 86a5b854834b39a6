import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { TokenQuery } from './token-filter.ts';
import { type TokenReport, tokenReport } from './token-report.ts';
import type { TokenRepository } from './token-repository.ts';

export interface ListTokensPorts {
  readonly tokens: Pick<TokenRepository, 'list'>;
  readonly clock: Clock;
}

/** Without a moment, as things are now. */
export type ListTokensInput = Omit<TokenQuery, 'now'> & Partial<Pick<TokenQuery, 'now'>>;

export type ListTokens = (
  caller: Principal | Operator,
  input: ListTokensInput,
) => Promise<Result<readonly TokenReport[], AccessDenied>>;

/** Lists one page of tokens, in the order of `TokenRepository.list`: an admin sees the account's, the operator all. */
export function listTokens({ tokens, clock }: ListTokensPorts): ListTokens {
  return async (caller, { now = clock.now(), ...input }) => {
    const allowed = authorize(caller, 'tokens:read');
    if (!allowed.ok) return allowed;
    const query = { ...input, now };
    const entries = await tokens.list(
      caller.kind === 'operator' ? query : { ...query, accountId: caller.accountId },
    );
    return ok(entries.map((entry) => tokenReport(entry, now)));
  };
}
