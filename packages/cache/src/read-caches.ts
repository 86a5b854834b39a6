import type { OrganizationRepository } from '@gatehouse/domain/organizations';
import type { ServiceRepository } from '@gatehouse/domain/services';
import type { SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { TokenRepository, TokenSigner } from '@gatehouse/domain/tokens';
import { createCachedOrganizations } from './cached-organizations.ts';
import { createCachedServices } from './cached-services.ts';
import { createCachedSigner, createVerifiedSignatures } from './cached-signer.ts';
import { createCachedSigningKeys } from './cached-signing-keys.ts';
import { createCachedTokenRecords } from './cached-token-records.ts';
import { createChangeLog } from './change-log.ts';
import type { CacheLimits } from './limits.ts';
import { type CacheReads, type Coherence, noReads } from './read-through.ts';
import { createRememberedRows } from './remembered-rows.ts';

interface ReadCachesPorts extends Pick<Coherence, 'feed' | 'isFresh'> {
  readonly limits: CacheLimits;
}

/**
 * Creates functions that add a cache to a port. The returned port answers the most frequent reads from memory, and
 * passes all other calls to the original port. When the change feed reports a change, the caches drop outdated entries.
 */
export function createReadCaches({ feed, isFresh, limits }: ReadCachesPorts) {
  const coherence = { feed, isFresh, changes: createChangeLog(feed) };
  // Signatures and records each get half of the memory for tokens, because they take about the same memory.
  const half = { entries: limits.tokens.entries, bytes: Math.ceil(limits.tokens.bytes / 2) };
  const signatures = half.entries === 0 ? undefined : createVerifiedSignatures(half);

  const reads = {
    signatures: noReads(),
    grants: noReads(),
    organizations: noReads(),
    keys: noReads(),
    services: noReads(),
    extensions: noReads(),
  };

  return {
    /** All signers share one cache of signatures and its limit. */
    cachedSigner: (signer: TokenSigner) =>
      signatures ? createCachedSigner(signer, signatures, reads.signatures) : signer,
    cachedTokenRecords: <Tokens extends Pick<TokenRepository, 'findRecord'>>(tokens: Tokens) =>
      createCachedTokenRecords(tokens, { ...coherence, limit: half, reads: reads.grants }),
    cachedOrganizations: <T extends Pick<OrganizationRepository, 'findForUser'>>(organizations: T) =>
      createCachedOrganizations(organizations, { ...coherence, ...limits, reads: reads.organizations }),
    cachedSigningKeys: <Keys extends Pick<SigningKeyRepository, 'list'>>(signingKeys: Keys) =>
      createCachedSigningKeys(signingKeys, { ...coherence, reads: reads.keys }),
    cachedServices: <Services extends Pick<ServiceRepository, 'list'>>(services: Services) =>
      createCachedServices(services, { ...coherence, reads: reads.services }),
    /** Caches rows in tables of extensions. The reads of all extensions are counted together. */
    rememberRows: createRememberedRows({ ...coherence, reads: reads.extensions }),
    /** Returns the number of reads of each cache since the caches were created. */
    reads: (): Readonly<Record<keyof typeof reads, CacheReads>> => reads,
  };
}
