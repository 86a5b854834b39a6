import type { AccessDenied } from '../access/authorize.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { findToken } from './find-token.ts';
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
    const entry = await findToken(tokens, caller, 'tokens:read', id);
    return entry.ok ? ok(tokenReport(entry.value, clock.now())) : entry;
  };
}
