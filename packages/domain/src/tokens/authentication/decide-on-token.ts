import type { RefusedCaller } from '../../access/caller.ts';
import type { KeyRing } from '../../signing-keys/key-ring.ts';
import type { Clock } from '../../time/clock.ts';
import type { Instant } from '../../time/instant.ts';
import type { TokenRepository } from '../token-repository.ts';
import type { TokenSigner } from '../token-signer.ts';
import {
  refused,
  type TokenCaller,
  type TokenIssuer,
  tokenCaller,
  type VerifiedToken,
} from './token-caller.ts';

export interface DecideOnTokenPorts {
  readonly signers: readonly TokenSigner[];
  readonly keys: KeyRing;
  readonly tokens: Pick<TokenRepository, 'findRecord'>;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
}

/** For whom a bearer token speaks, and from where; a refusal is an answer, not an error. A fault throws, and so denies. */
export type DecideOnToken = (token: string, origin: string) => Promise<TokenCaller | RefusedCaller>;

/** Hears what it came to for a token whose signature holds, and when. */
export type Decided = (caller: TokenCaller | RefusedCaller, verified: VerifiedToken, at: Instant) => void;

/**
 * The one decision on a token, in the one order: that of `INSPECTION_STEPS`. What follows from it is told to
 * `decided` and not awaited from a function around this one, for that would cost every request a promise.
 */
export function decideOnToken(ports: DecideOnTokenPorts, decided: Decided): DecideOnToken {
  const { signers, keys, tokens, clock, issuer } = ports;
  return async (token, origin) => {
    for (const signer of signers) {
      const keyId = signer.keyIdOf(token);
      if (keyId === undefined) continue;
      const key = await keys.find(keyId);
      if (!key) return refused('unknown_key');
      const claims = await signer.verify(token, key);
      if (!claims) return refused('bad_signature');
      const record = await tokens.findRecord(claims.tokenId, claims.subject);
      const now = clock.now();
      const verified = { claims, key };
      const caller = tokenCaller(verified, record, { issuer, now, origin });
      decided(caller, verified, now);
      return caller;
    }
    return refused('malformed');
  };
}
