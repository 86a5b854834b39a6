import type { RefusedCaller } from '../access/caller.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import type { Clock } from '../time/clock.ts';
import { refused, type TokenCaller, tokenCaller } from './token-caller.ts';
import type { TokenRepository } from './token-repository.ts';
import type { TokenSigner } from './token-signer.ts';
import { isStandingProblem, type TokenIssuer } from './token-standing.ts';
import type { UsageRecorder } from './token-usage.ts';

export interface AuthenticateTokenPorts {
  readonly signers: readonly TokenSigner[];
  readonly keys: KeyRing;
  readonly tokens: Pick<TokenRepository, 'findGrant'>;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly usage: Pick<UsageRecorder, 'used' | 'refused'>;
}

/**
 * Finds out for whom a bearer token speaks: the one place where tokens are accepted. A refusal is an
 * answer, not an error, so that use cases decide in one order. A fault throws, and so denies.
 */
export type AuthenticateToken = (token: string, origin: string) => Promise<TokenCaller | RefusedCaller>;

export function authenticateToken(ports: AuthenticateTokenPorts): AuthenticateToken {
  const { signers, keys, tokens, clock, issuer, usage } = ports;
  return async (token, origin) => {
    for (const signer of signers) {
      const keyId = signer.keyIdOf(token);
      if (keyId === undefined) continue;
      const key = await keys.find(keyId);
      if (!key) return refused('unknown_key');
      const claims = await signer.verify(token, key);
      if (!claims) return refused('bad_signature');
      const grant = await tokens.findGrant(claims.tokenId);
      const now = clock.now();
      const caller = tokenCaller({ claims, key }, grant, { issuer, now, origin });
      if (caller.kind === 'user') usage.used(claims.tokenId, now);
      else if (isStandingProblem(caller.reason)) usage.refused(claims.tokenId, now, caller.reason);
      return caller;
    }
    return refused('malformed');
  };
}
