import { authorize } from '../../access/authorize.ts';
import { authorized } from '../../access/authorized.ts';
import type { Principal } from '../../access/caller.ts';
import { REVOKE_TOKENS } from '../../access/rules.ts';
import { err, ok } from '../../result.ts';
import { stepOf } from './inspect-token.ts';
import { type TraceTokenPorts, traceToken } from './trace-token.ts';

/**
 * Finds the record of a token to be revoked by the token itself. A valid signature is enough: the token may be
 * expired, its user disabled, or its TOKEN_ISSUER another one. A token of another account is not found. If the
 * token was not issued here, or its record was deleted, the error names the inspection step that failed.
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
