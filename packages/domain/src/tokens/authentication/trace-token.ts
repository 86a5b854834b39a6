import { WITHOUT_TURNS } from '../../on-behalf.ts';
import type { Ports } from '../../ports.ts';
import { type TokenDetails, type TokenStatus, tokenStatus } from '../administration/token-status.ts';
import type { TokenId } from '../token.ts';
import { type ClientAddress, decideOnToken, type VerifiedToken } from './authenticate-token.ts';

export type TraceTokenPorts = Ports<'signers' | 'keys' | 'tokens' | 'clock' | 'issuer'>;

/**
 * Decides on a token like `authenticateToken`, but records no use. Returns the decision. If the signature is valid,
 * also returns the claims, the key, and the token's record, if there is one.
 *
 * @param client the address from which a client would send the token; null to leave the networks undecided
 */
export async function traceToken(
  { tokens, ...ports }: TraceTokenPorts,
  text: string,
  origin: string,
  client: ClientAddress = null,
) {
  let details: TokenDetails | undefined;
  let trace: { readonly verified?: VerifiedToken; readonly report?: TokenStatus | undefined } = {};
  const findRecord = async (id: TokenId) => {
    details = await tokens.find(id);
    return details;
  };
  const decide = decideOnToken(
    { ...ports, onBehalf: WITHOUT_TURNS, tokens: { findRecord } },
    (_, verified, at) => {
      trace = { verified, report: details && tokenStatus(details, at) };
    },
  );
  const caller = await decide(text, origin, client);
  return { caller, ...trace };
}
