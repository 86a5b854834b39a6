import type { RefusedCaller } from '../../access/caller.ts';
import type { Ports } from '../../ports.ts';
import { type TokenStatus, tokenStatus } from '../administration/token-status.ts';
import type { TokenId } from '../token.ts';
import { decideOnToken } from './decide-on-token.ts';
import type { TokenCaller, VerifiedToken } from './token-caller.ts';

export type TraceTokenPorts = Ports<'signers' | 'keys' | 'tokens' | 'clock' | 'issuer'>;

/** What the decision on a token found out, up to the step that failed. */
interface TokenTrace {
  readonly caller: TokenCaller | RefusedCaller;
  /** Undefined if the signature is not valid. */
  readonly verified: VerifiedToken | undefined;
  /** The record that the decision read; undefined if there is none, or an earlier step failed. */
  readonly report: TokenStatus | undefined;
}

/** Decides on a token like `authenticateToken` and returns what it found. It does not record a use of the token. */
export async function traceToken(
  { tokens, ...ports }: TraceTokenPorts,
  text: string,
  origin: string,
): Promise<TokenTrace> {
  let trace: TokenTrace | undefined;
  const findRecord = (id: TokenId) => tokens.find(id);
  const decide = decideOnToken({ ...ports, tokens: { findRecord } }, (caller, verified, at, details) => {
    trace = { caller, verified, report: details && tokenStatus(details, at) };
  });
  const caller = await decide(text, origin);
  return trace ?? { caller, verified: undefined, report: undefined };
}
