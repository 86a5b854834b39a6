import type { RefusedCaller } from '../access/caller.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import type { Clock } from '../time/clock.ts';
import { refused, type TokenCaller, tokenCaller } from './token-caller.ts';
import type { TokenRepository } from './token-repository.ts';
import type { TokenSigner } from './token-signer.ts';
import type { TokenIssuer } from './token-standing.ts';

export interface AuthenticateTokenPorts {
  readonly signers: readonly TokenSigner[];
  readonly keys: KeyRing;
  readonly tokens: Pick<TokenRepository, 'findGrant'>;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
}

/**
 * Finds out for whom a bearer token speaks: the one place where tokens are accepted. A refusal is an
 * answer, not an error, so that use cases decide in one order. A fault throws, and so denies.
 */
export type AuthenticateToken = (token: string, origin: string) => Promise<TokenCaller | RefusedCaller>;

export function authenticateToken(ports: AuthenticateTokenPorts): AuthenticateToken {
  const { signers, keys, tokens, clock, issuer } = ports;
  return async (token, origin) => {
    for (const signer of signers) {
      const keyId = signer.keyIdOf(token);
      if (keyId === undefined) continue;
      const key = await keys.find(keyId);
      if (!key) return refused('unknown_key');
      const claims = await signer.verify(token, key);
      if (!claims) return refused('bad_signature');
      const grant = await tokens.findGrant(claims.tokenId);
      return tokenCaller({ claims, key }, grant, { issuer, now: clock.now(), origin });
    }
    return refused('malformed');
  };
}
