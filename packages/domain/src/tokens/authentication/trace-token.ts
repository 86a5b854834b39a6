import type { RefusedCaller } from '../../access/caller.ts';
import type { Instant } from '../../time/instant.ts';
import { type TokenStatus, tokenStatus } from '../administration/token-status.ts';
import type { TokenRepository } from '../token-repository.ts';
import { type DecideOnTokenPorts, decideOnToken } from './decide-on-token.ts';
import type { TokenCaller, VerifiedToken } from './token-caller.ts';

export interface TraceTokenPorts extends Omit<DecideOnTokenPorts, 'tokens'> {
  readonly tokens: Pick<TokenRepository, 'find'>;
}

/** What came to light while it was decided on a token, as far as the decision went. */
export interface TokenTrace {
  readonly caller: TokenCaller | RefusedCaller;
  /** Undefined where the signature does not hold. */
  readonly verified: VerifiedToken | undefined;
  /** The record, as it was when it decided; undefined where there is none, or none was looked for. */
  readonly report: TokenStatus | undefined;
}

/** Decides on a token as `authenticateToken` does, and keeps what it saw. It is no use of the token: none is recorded. */
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
