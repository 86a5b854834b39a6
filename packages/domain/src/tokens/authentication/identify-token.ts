import { authorize } from '../../access/authorize.ts';
import { authorized } from '../../access/authorized.ts';
import type { Principal } from '../../access/caller.ts';
import { REVOKE_TOKENS } from '../../access/rules.ts';
import { err, ok } from '../../result.ts';
import { type InspectionStep, stepOf } from './inspect-token.ts';
import { type TraceTokenPorts, traceToken } from './trace-token.ts';

/** This is no token that was issued here, or its record is gone. */
export interface TokenNotRecognized {
  readonly code: 'token_not_recognized';
  /** Where that came to light. */
  readonly step: InspectionStep;
}

/**
 * Finds the record of a token that somebody wants revoked and has nothing of but the token itself. Enough is that
 * its signature holds: one that expired, whose user is disabled, or that was issued under another TOKEN_ISSUER
 * is found as well. Another account's is not.
 */
export const identifyToken = authorized(
  REVOKE_TOKENS,
  (ports: TraceTokenPorts) => async (caller: Principal, text: string) => {
    const { caller: decision, report } = await traceToken(ports, text, caller.origin);
    if (report) {
      const owned = authorize(caller, REVOKE_TOKENS, report);
      return owned.ok ? ok(report) : err({ code: 'token_not_found' });
    }
    if (decision.kind !== 'refused') throw new Error('a token was accepted without its record');
    return err({ code: 'token_not_recognized', step: stepOf(decision.reason) });
  },
);
