import {
  createFakeTokenSigner,
  createInMemoryRepositories,
  fakePayloadOf,
  fakeToken,
} from '@gatehouse/domain/testing';
import {
  organizationRepositoryContract,
  serviceRepositoryContract,
  signingKeyRepositoryContract,
  tokenRepositoryContract,
  tokenSignerContract,
} from '@gatehouse/domain/testing/contracts';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { AMPLE, createFeedParts } from '../testing/parts.ts';
import { createReadCaches } from './read-caches.ts';

for (const [name, trusted] of [
  ['with a feed that reports everything', true],
  ['with a feed that is never trusted', false],
] as const) {
  const open = async () => {
    const parts = { ...createFeedParts(), limits: AMPLE };
    if (trusted) parts.feed.beat();
    const caches = createReadCaches(parts);
    const store = createInMemoryRepositories(trusted ? parts.feed.tell : undefined);
    return {
      ...store,
      tokens: caches.cachedTokenRecords(store.tokens),
      organizations: caches.cachedOrganizations(store.organizations),
      services: caches.cachedServices(store.services),
      signingKeys: caches.cachedSigningKeys(store.signingKeys),
      close: async () => {},
    };
  };
  tokenRepositoryContract(`a store cached ${name}`, open);
  organizationRepositoryContract(`a store cached ${name}`, open);
  serviceRepositoryContract(`a store cached ${name}`, open);
  signingKeyRepositoryContract(`a store cached ${name}`, open);
}

for (const format of TOKEN_FORMATS) {
  tokenSignerContract(`a cached signer for ${format}`, {
    createSigner: () =>
      createReadCaches({ ...createFeedParts(), limits: AMPLE }).cachedSigner(createFakeTokenSigner(format)),
    forge: async (payload, key) => fakeToken(format, payload, key),
    payloadOf: fakePayloadOf,
  });
}
