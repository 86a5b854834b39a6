import type { ChangeFeed, FreshnessCheck } from '@gatehouse/domain/changes';
import type { OrganizationRepository } from '@gatehouse/domain/organizations';
import type { SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { TokenRepository, TokenSigner } from '@gatehouse/domain/tokens';
import { type CacheReads, noReads } from './cache-reads.ts';
import { createCachedOrganizations } from './cached-organizations.ts';
import { createCachedSigner, createVerifiedSignatures } from './cached-signer.ts';
import { createCachedSigningKeys } from './cached-signing-keys.ts';
import { createCachedTokenRecords } from './cached-token-records.ts';
import { createChangeLog } from './change-log.ts';
import type { CacheLimits } from './limits.ts';

/** Decorators that answer the hottest reads of a port from memory. All other methods pass through. */
interface ReadCaches {
  /** All decorated signers share one store and its limit. */
  cachedSigner(signer: TokenSigner): TokenSigner;
  cachedTokenRecords<Tokens extends Pick<TokenRepository, 'findRecord'>>(tokens: Tokens): Tokens;
  cachedOrganizations<Organizations extends Pick<OrganizationRepository, 'findForUser'>>(
    organizations: Organizations,
  ): Organizations;
  cachedSigningKeys<Keys extends Pick<SigningKeyRepository, 'list'>>(signingKeys: Keys): Keys;
  /** The counters since the caches were created. */
  reads(): Readonly<Record<'signatures' | 'grants' | 'organizations' | 'keys', CacheReads>>;
}

interface ReadCachesPorts {
  readonly feed: ChangeFeed;
  /** Whether this feed is fresh enough to use the caches. */
  readonly isFresh: FreshnessCheck;
  readonly limits: CacheLimits;
}

/** Creates caches that live as long as the feed. */
export function createReadCaches({ feed, isFresh, limits }: ReadCachesPorts): ReadCaches {
  const coherence = { feed, isFresh, changes: createChangeLog(feed) };
  // A token's signature and its record take about the same memory.
  const half = { entries: limits.tokens.entries, bytes: Math.ceil(limits.tokens.bytes / 2) };
  const signatures = half.entries === 0 ? undefined : createVerifiedSignatures(half);

  const reads = { signatures: noReads(), grants: noReads(), organizations: noReads(), keys: noReads() };

  return {
    cachedSigner: (signer) =>
      signatures ? createCachedSigner(signer, signatures, reads.signatures) : signer,
    cachedTokenRecords: (tokens) =>
      createCachedTokenRecords(tokens, { ...coherence, limit: half, reads: reads.grants }),
    cachedOrganizations: (organizations) =>
      createCachedOrganizations(organizations, { ...coherence, ...limits, reads: reads.organizations }),
    cachedSigningKeys: (signingKeys) =>
      createCachedSigningKeys(signingKeys, { ...coherence, reads: reads.keys }),
    reads: () => reads,
  };
}
