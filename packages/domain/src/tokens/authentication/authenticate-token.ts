import { isRecordRefusal } from '../refusal-reasons.ts';
import type { UsageRecorder } from '../usage/token-usage.ts';
import { type DecideOnToken, type DecideOnTokenPorts, decideOnToken } from './decide-on-token.ts';

export interface AuthenticateTokenPorts extends DecideOnTokenPorts {
  readonly usage: Pick<UsageRecorder, 'used' | 'refused'>;
}

/**
 * Finds out for whom a bearer token speaks: the one place where tokens are accepted. A refusal is an
 * answer, not an error, so that use cases decide in one order. A fault throws, and so denies.
 */
export type AuthenticateToken = DecideOnToken;

export function authenticateToken({ usage, ...ports }: AuthenticateTokenPorts): AuthenticateToken {
  return decideOnToken(ports, (caller, { claims }, now) => {
    if (caller.kind === 'user') usage.used(claims.tokenId, now);
    else if (isRecordRefusal(caller.reason)) usage.refused(claims.tokenId, now, caller.reason);
  });
}
