import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { RefusedCaller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { Grant } from '../tokens/token.ts';
import type { TokenCaller } from '../tokens/token-caller.ts';

/** Who a token acts for: answered from the grant that authenticated it, without a further read. */
export function getMe(caller: TokenCaller | RefusedCaller): Result<Grant, AccessDenied> {
  const allowed = authorize(caller, 'me:read');
  return allowed.ok ? ok(allowed.value.grant) : allowed;
}
