import type { AccessDenied, RefusedCaller } from '../../access/index.ts';
import { isRecordRefusal } from '../refusal-reasons.ts';
import type { UsageRecorder } from '../usage/token-usage.ts';
import { type DecideOnToken, type DecideOnTokenPorts, decideOnToken } from './decide-on-token.ts';
import type { TokenCaller } from './token-caller.ts';

interface AuthenticateTokenPorts extends DecideOnTokenPorts {
  readonly usage: Pick<UsageRecorder, 'used' | 'refused'>;
}

/**
 * Authenticates a bearer token, whose origin is the client's IP address. Tokens are accepted only here. Returns a refused
 * token as a caller, not as an error, so that all use cases decide in the same order. Throws a fault, which denies access.
 */
export type AuthenticateToken = DecideOnToken;

export function authenticateToken({ usage, ...ports }: AuthenticateTokenPorts): AuthenticateToken {
  return decideOnToken(ports, (caller, { claims }, now, _record, origin) => {
    if (caller.kind === 'user') usage.used(claims.tokenId, now, origin);
    else if (isRecordRefusal(caller.reason)) usage.refused(claims.tokenId, now, caller.reason, origin);
  });
}

/** Records that a request with an accepted token was not allowed. */
export function recordDenial(
  usage: Pick<UsageRecorder, 'refused'>,
  caller: TokenCaller | RefusedCaller,
  { code }: AccessDenied,
): void {
  if (caller.kind === 'refused' || code === 'token_not_accepted' || code === 'not_found') return;
  usage.refused(caller.token.id, caller.acceptedAt, code, caller.origin);
}
