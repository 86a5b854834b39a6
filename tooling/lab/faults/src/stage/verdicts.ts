import { verdictOf } from './ask.ts';
import type { LedgerToken } from './ledger.ts';

/** Sends requests with tokens whose validity is known, and returns the wrong verdicts. */
export async function wrongVerdicts(
  url: string,
  { tokens, signedIn }: { readonly tokens: readonly LedgerToken[]; readonly signedIn: readonly string[] },
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { id, secret, revokingSince, revokedAt } of tokens) {
    // Without an acknowledgement neither verdict is wrong.
    if (revokingSince !== undefined && revokedAt === undefined) continue;
    const isRevoked = revokedAt !== undefined;
    const status = await verdictOf(url, secret);
    if (status !== (isRevoked ? 401 : 200))
      wrong.push(`${id} is ${isRevoked ? 'revoked' : 'good'}: ${status}`);
  }
  for (const secret of signedIn) {
    const status = await verdictOf(url, secret);
    if (status !== 200) wrong.push(`a token of a sign-in: ${status}`);
  }
  return wrong;
}
