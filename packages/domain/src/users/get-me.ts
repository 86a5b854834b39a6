import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { RefusedCaller } from '../access/caller.ts';
import { READ_ME } from '../access/rules.ts';
import { ok, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenCaller } from '../tokens/authentication/token-caller.ts';
import type { TokenRecord } from '../tokens/token.ts';

/** Who a token acts for, and when it was last used, which is now. */
export interface Me {
  readonly token: TokenRecord;
  readonly lastUsedAt: Instant;
}

/** Answered from the record that authenticated the token, without a further read. */
export function getMe(caller: TokenCaller | RefusedCaller): Result<Me, AccessDenied> {
  const allowed = authorize(caller, READ_ME);
  return allowed.ok ? ok({ token: allowed.value.token, lastUsedAt: allowed.value.acceptedAt }) : allowed;
}
