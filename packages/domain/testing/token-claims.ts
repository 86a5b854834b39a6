import fc from 'fast-check';
import type { KeyId, VerificationKey } from '../src/signing-keys/index.ts';
import { type Instant, LAST_INSTANT } from '../src/time/instant.ts';
import type { TokenFormat } from '../src/tokens/index.ts';
import { TOKEN_KINDS, type TokenId } from '../src/tokens/token.ts';
import type { TokenClaims } from '../src/tokens/token-signer.ts';
import type { UserId } from '../src/users/user.ts';

/** Creates the claims of an API token, with a test's changes. */
export function someClaims(changes: Partial<TokenClaims> = {}): TokenClaims {
  return {
    issuer: 'gatehouse',
    audience: 'gatehouse-api',
    subject: 7 as UserId,
    tokenId: '01999999-89ab-7def-8123-456789abcdef' as TokenId,
    issuedAt: 1_790_000_000_000 as Instant,
    expiresAt: 1_792_592_000_000 as Instant,
    kind: 'api',
    ...changes,
  };
}

/** A key that fails the test when it is used. */
export const anUnusableKey = (id: KeyId, format: TokenFormat): VerificationKey => ({
  id,
  format,
  get publicKey(): never {
    throw new Error('the key was used');
  },
});

const text = fc.oneof(
  fc.constantFrom('', 'gatehouse', 'https://gatehouse.example'),
  fc.string({ unit: 'binary' }),
);
const date = fc.nat({ max: Math.floor(LAST_INSTANT / 1000) }).map((seconds) => (seconds * 1000) as Instant);

/** Any claims that a token can have. */
export const anyClaims: fc.Arbitrary<TokenClaims> = fc.record({
  issuer: text,
  audience: text,
  subject: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((id) => id as UserId),
  tokenId: fc.uuid().map((id) => id as TokenId),
  issuedAt: date,
  expiresAt: fc.option(date),
  kind: fc.constantFrom(...TOKEN_KINDS),
});
