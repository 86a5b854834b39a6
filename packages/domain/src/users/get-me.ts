import { type AccessDenied, authorize, READ_ME, type RefusedCaller } from '../access/index.ts';
import { ok, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenCaller } from '../tokens/authentication/authenticate-token.ts';
import type { TokenRecord } from '../tokens/token.ts';

/** The record of a token, with the user for whom the token acts. The last use of the token is this request. */
export interface Me {
  readonly token: TokenRecord;
  readonly lastUsedAt: Instant;
}

/** Returns the caller's token record, which was read for authentication. No other read is needed. */
export function getMe(caller: TokenCaller | RefusedCaller): Result<Me, AccessDenied> {
  const allowed = authorize(caller, READ_ME);
  return allowed.ok ? ok({ token: allowed.value.token, lastUsedAt: allowed.value.acceptedAt }) : allowed;
}
