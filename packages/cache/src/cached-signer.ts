import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import type { TokenClaims, TokenSigner } from '@gatehouse/domain/tokens';
import { LRUCache } from 'lru-cache';
import { boundedBy, type Limit } from './limits.ts';
import type { CacheReadCounts } from './read-through.ts';

/**
 * A cache of tokens whose signatures are valid. A valid signature never becomes invalid for the same key, so this cache
 * does not need the change feed.
 */
type VerifiedSignatures = LRUCache<string, VerifiedSignature>;

interface VerifiedSignature {
  readonly key: VerificationKey;
  readonly claims: TokenClaims;
}

export function createVerifiedSignatures(limit: Limit): VerifiedSignatures {
  return new LRUCache(boundedBy(limit, (_: VerifiedSignature, token: string) => signatureBytes(token)));
}

/**
 * Verifies the signature of each token once. Only valid signatures are cached, so that invalid tokens take no memory.
 * Whether the token has expired or is revoked, and the state of its key, is not cached: the domain checks this on each
 * use.
 */
export function createCachedSigner(
  signer: TokenSigner,
  verified: VerifiedSignatures,
  reads: CacheReadCounts,
): TokenSigner {
  const { format } = signer;
  let latest: TokenClaims | undefined;

  async function verify(token: string, key: VerificationKey): Promise<TokenClaims | undefined> {
    reads.miss += 1;
    const claims = await signer.verify(token, key);
    if (!claims) return undefined;
    latest = withNamesOf(latest, claims);
    verified.set(token, { key, claims: latest });
    return latest;
  }

  return {
    ...signer,

    // A cached signature was verified with the key that the token names, so the token need not be decoded for its key.
    keyIdOf(token) {
      const key = verified.peek(token)?.key;
      return key?.format === format ? key.id : signer.keyIdOf(token);
    },

    verify(token, key) {
      const known = verified.get(token);
      if (known?.key !== key || key.format !== format) return verify(token, key);
      reads.hit += 1;
      return known.claims;
    },
  };
}

/**
 * Returns a copy of `claims`. If the issuer or the audience equals that of `other`, the copy has the string of `other`.
 * Nearly all tokens have the same issuer and audience, so they share these strings and take less memory.
 */
function withNamesOf(other: TokenClaims | undefined, claims: TokenClaims): TokenClaims {
  const { subject, tokenId, issuedAt, expiresAt, kind } = claims;
  const issuer = other?.issuer === claims.issuer ? other.issuer : claims.issuer;
  const audience = other?.audience === claims.audience ? other.audience : claims.audience;
  return Object.freeze({ issuer, audience, subject, tokenId, issuedAt, expiresAt, kind });
}

/** The memory that each entry takes without its token, in bytes, as measured by memory.test.ts. */
const FIXED_BYTES = 350;

export function signatureBytes(token: string): number {
  return FIXED_BYTES + token.length;
}
