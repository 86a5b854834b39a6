import type { RefusedCaller } from '../../access/index.ts';
import { type Awaitable, andThen } from '../../awaitable.ts';
import type { OnBehalf } from '../../on-behalf.ts';
import type { Ports } from '../../ports.ts';
import type { Instant } from '../../time/instant.ts';
import type { TokenId, TokenRecord } from '../token.ts';
import { refused, type TokenCaller, tokenCaller, type VerifiedToken } from './token-caller.ts';

export interface DecideOnTokenPorts<Found extends TokenRecord = TokenRecord>
  extends Ports<'signers' | 'keys' | 'clock' | 'issuer'> {
  readonly tokens: {
    findRecord(id: TokenId): Awaitable<Found | undefined>;
  };
  readonly onBehalf: OnBehalf;
}

/** Returns the caller that a bearer token identifies, or a refused caller. Throws a fault, which denies access. */
export type DecideOnToken = (token: string, origin: string) => Awaitable<TokenCaller | RefusedCaller>;

/** Called with the decision on a token with a valid signature, its time, the record that was read, and the origin. */
type Decided<Found> = (
  caller: TokenCaller | RefusedCaller,
  verified: VerifiedToken,
  at: Instant,
  record: Found | undefined,
  origin: string,
) => void;

/**
 * Decides whether to accept a token, in the order of `INSPECTION_STEPS`, and reports the decision to `decided`. Answers at
 * once if its ports do.
 */
export function decideOnToken<Found extends TokenRecord>(
  ports: DecideOnTokenPorts<Found>,
  decided: Decided<Found>,
): DecideOnToken {
  const { signers, keys, tokens, clock, issuer, onBehalf } = ports;

  function decide(verified: VerifiedToken, record: Found | undefined, origin: string) {
    const now = clock.now();
    const caller = tokenCaller(verified, record, { issuer, now, origin });
    decided(caller, verified, now, record, origin);
    return caller;
  }

  return (token, origin) => {
    for (const signer of signers) {
      const keyId = signer.keyIdOf(token);
      if (keyId === undefined) continue;
      return andThen(keys.find(keyId), (key) => {
        if (!key) return refused('unknown_key');
        return andThen(signer.verify(token, key), (claims) => {
          if (!claims) return refused('bad_signature');
          return andThen(
            onBehalf.ofUser(claims.subject, () => tokens.findRecord(claims.tokenId)),
            (record) => decide({ claims, key }, record, origin),
          );
        });
      });
    }
    return refused('malformed');
  };
}
