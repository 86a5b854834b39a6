import type { RefusedCaller } from '../../access/caller.ts';
import type { Instant } from '../../time/instant.ts';
import { type TokenStatus, tokenStatus } from '../administration/token-status.ts';
import type { TokenRepository } from '../token-repository.ts';
import { type DecideOnTokenPorts, decideOnToken } from './decide-on-token.ts';
import type { TokenCaller, VerifiedToken } from './token-caller.ts';

export interface TraceTokenPorts extends Omit<DecideOnTokenPorts, 'tokens'> {
  readonly tokens: Pick<TokenRepository, 'find'>;
}

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
  let entry: Awaited<ReturnType<typeof tokens.find>>;
  let held: { readonly verified: VerifiedToken; readonly at: Instant } | undefined;
  const findRecord: DecideOnTokenPorts['tokens']['findRecord'] = async (id) => {
    entry = await tokens.find(id);
    return entry;
  };
  const decide = decideOnToken({ ...ports, tokens: { findRecord } }, (_, verified, at) => {
    held = { verified, at };
  });
  const caller = await decide(text, origin);
  return { caller, verified: held?.verified, report: entry && held && tokenStatus(entry, held.at) };
}
