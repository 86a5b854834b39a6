import { isRecordRefusal } from '../refusal-reasons.ts';
import type { UsageRecorder } from '../usage/token-usage.ts';
import { type DecideOnToken, type DecideOnTokenPorts, decideOnToken } from './decide-on-token.ts';

interface AuthenticateTokenPorts extends DecideOnTokenPorts {
  readonly usage: Pick<UsageRecorder, 'used' | 'refused'>;
}

/**
 * Authenticates a bearer token. Tokens are accepted nowhere else. A refused token is returned as a caller and not as
 * an error, so that all use cases decide in one order. A fault is thrown, which denies access.
 */
export type AuthenticateToken = DecideOnToken;

export function authenticateToken({ usage, ...ports }: AuthenticateTokenPorts): AuthenticateToken {
  return decideOnToken(ports, (caller, { claims }, now) => {
    if (caller.kind === 'user') usage.used(claims.tokenId, now);
    else if (isRecordRefusal(caller.reason)) usage.refused(claims.tokenId, now, caller.reason);
  });
}
