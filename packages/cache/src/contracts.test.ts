import { type Change, createLease, TOKEN_FORMATS } from '@gatehouse/domain';
import {
  createFakeTokenSigner,
  createFixedClock,
  createInMemoryChangeFeed,
  createInMemoryRepositories,
  fakePayloadOf,
  fakeToken,
  organizationRepositoryContract,
  type Repositories,
  START,
  tokenRepositoryContract,
  tokenSignerContract,
} from '@gatehouse/domain/testing';
import { createReadCaches, type ReadCachesPorts } from './read-caches.ts';

const limits = {
  tokens: { entries: 100, bytes: 1_000_000 },
  organizations: { entries: 100, bytes: 1_000_000 },
  memberships: 100,
};

function createParts(): ReadCachesPorts & { readonly feed: ReturnType<typeof createInMemoryChangeFeed> } {
  const clocks = { clock: createFixedClock(START), monotonicClock: { elapsedMs: () => 0 } };
  const feed = createInMemoryChangeFeed(clocks);
  return { feed, lease: createLease({ feed, ...clocks, maxStalenessMs: 1000 }), limits };
}

/** Tells the feed of every write, before it is acknowledged. */
function telling(store: Repositories, tell: (change: Change) => void): Repositories {
  return {
    ...store,
    accounts: {
      ...store.accounts,
      async suspend(id, at, event) {
        const suspended = await store.accounts.suspend(id, at, event);
        tell({ kind: 'account', id });
        return suspended;
      },
    },
    users: {
      ...store.users,
      async disable(id, revocation, event) {
        const disabled = await store.users.disable(id, revocation, event);
        tell({ kind: 'user', id });
        return disabled;
      },
    },
    tokens: {
      ...store.tokens,
      async revoke(id, revocation, event) {
        const revoked = await store.tokens.revoke(id, revocation, event);
        tell({ kind: 'token', id });
        return revoked;
      },
    },
    organizations: {
      ...store.organizations,
      async addMember(member, event) {
        const added = await store.organizations.addMember(member, event);
        tell({ kind: 'membership', organizationId: member.organizationId, userId: member.userId });
        return added;
      },
    },
  };
}

for (const [name, trusted] of [
  ['with a feed that tells everything', true],
  ['with a feed that is never trusted', false],
] as const) {
  const open = async () => {
    const parts = createParts();
    if (trusted) parts.feed.beat();
    const caches = createReadCaches(parts);
    const store = telling(createInMemoryRepositories(), trusted ? parts.feed.tell : () => {});
    return {
      ...store,
      tokens: caches.cachedGrants(store.tokens),
      organizations: caches.cachedOrganizations(store.organizations),
      close: async () => {},
    };
  };
  tokenRepositoryContract(`a store cached ${name}`, open);
  organizationRepositoryContract(`a store cached ${name}`, open);
}

for (const format of TOKEN_FORMATS) {
  tokenSignerContract(`a cached signer for ${format}`, {
    createSigner: () => createReadCaches(createParts()).cachedSigner(createFakeTokenSigner(format)),
    forge: async (payload, key) => fakeToken(format, payload, key),
    payloadOf: fakePayloadOf,
  });
}
