import { authorize, authorized, type Principal, READ_TOKENS, REVOKE_TOKENS } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import type { KeyId } from '../../signing-keys/signing-key.ts';
import type { TokenStatus } from '../administration/token-status.ts';
import { REFUSALS, TOKEN_REFUSALS, type TokenRefusal } from '../refusal-reasons.ts';
import type { TokenFormat } from '../token.ts';
import type { TokenClaims, TokenSigner } from '../token-signer.ts';
import { type TraceTokenPorts, traceToken } from './trace-token.ts';

/** One of the checks that a token has to pass to be accepted. */
export type InspectionStep = (typeof REFUSALS)[TokenRefusal]['step'];

export const INSPECTION_STEPS = TOKEN_REFUSALS.map((reason) => REFUSALS[reason].step);

export interface InspectedStep {
  readonly step: InspectionStep;
  /** `not_checked`: the token has networks, and the inspection is about no client. */
  readonly outcome: 'passed' | 'failed' | 'not_reached' | 'not_checked';
}

/** The result of an inspection: whether a server would accept the token now and, if not, which check fails. */
export interface TokenInspection {
  readonly accepted: boolean;
  readonly reason: TokenRefusal | null;
  readonly stoppedAt: InspectionStep | null;
  readonly steps: readonly InspectedStep[];
  /** The format of the token; null if the text has neither of the two formats. */
  readonly format: TokenFormat | null;
  /** The id of the signing key that the token names; null if the text names none. */
  readonly keyId: KeyId | null;
  /** The token's claims; null if its signature is not valid. */
  readonly claims: TokenClaims | null;
  /**
   * The token's record with its state; null if no record was found, or if a step before the search for the record
   * failed.
   */
  readonly report: TokenStatus | null;
}

export interface InspectTokenInput {
  /** The text of the token. */
  readonly text: string;
  /** The IP address of a client. If it is absent, the networks of the token are not checked. */
  readonly from?: string | undefined;
}

/**
 * Inspects the text of a token. Returns the token's record, whether servers would accept the token now and, if not,
 * which check the token fails. For an admin, a token of another account is not found.
 */
export const inspectToken = authorized(
  READ_TOKENS,
  (ports: TraceTokenPorts) =>
    async (caller, { text, from }: InspectTokenInput) => {
      const {
        caller: decision,
        verified,
        report,
      } = await traceToken(ports, text, caller.origin, from ?? null);
      if (report && !authorize(caller, READ_TOKENS, report).ok) {
        return err({ code: 'token_not_found' });
      }
      const reason = decision.kind === 'refused' ? decision.reason : null;
      const stoppedAt = reason && REFUSALS[reason].step;
      return ok({
        accepted: reason === null,
        reason,
        stoppedAt,
        steps: stepsUpTo(stoppedAt, from === undefined && report?.networks?.mode === 'enforced'),
        ...spellingOf(ports.signers, text),
        claims: verified?.claims ?? null,
        report: report ?? null,
      });
    },
);

function stepsUpTo(stop: InspectionStep | null, isNetworkOpen: boolean): readonly InspectedStep[] {
  const stopIndex = stop === null ? INSPECTION_STEPS.length : INSPECTION_STEPS.indexOf(stop);
  return INSPECTION_STEPS.map((step, index) => ({
    step,
    outcome:
      index > stopIndex
        ? 'not_reached'
        : index === stopIndex
          ? 'failed'
          : step === REFUSALS.network_not_allowed.step && isNetworkOpen
            ? 'not_checked'
            : 'passed',
  }));
}

function spellingOf(signers: readonly TokenSigner[], text: string) {
  for (const signer of signers) {
    const keyId = signer.keyIdOf(text);
    if (keyId !== undefined) return { format: signer.format, keyId };
  }
  return { format: null, keyId: null };
}

/**
 * Finds the record of a token from the text of the token, so that it can be revoked. A valid signature is enough: the
 * token may have expired, its user may be disabled, and TOKEN_ISSUER may have been changed since the token was issued.
 * A token of another account is not found. If this installation did not issue the token, or its record was deleted, the
 * error names the inspection step that failed.
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
    return err({ code: 'token_not_recognized', step: REFUSALS[decision.reason].step });
  },
);
