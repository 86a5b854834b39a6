import { createFreshnessCheck } from '@gatehouse/domain/changes';
import type { OrganizationId, OrganizationView } from '@gatehouse/domain/organizations';
import { createPostgresChangeFeed } from '@gatehouse/postgres';
import type { ReplaceableParts } from './postgres-server.ts';

/** Replaces the feed by one that is always trusted and delivers nothing. */
export function tellNothing({ container }: ReplaceableParts): void {
  container.override('feed', (_, original) => ({ ...original(), subscribe: () => () => undefined }));
}

/** Replaces the feed by one that hears of no change, and says so: the server reads what it needs. */
export function hearNothing({ container }: ReplaceableParts): void {
  const state = { trusted: false, reason: 'nothing is heard' } as const;
  container.override('feed', (_, original) => ({
    ...original(),
    heardUpTo: () => undefined,
    state: () => state,
  }));
}

/** Replaces the feed by one with another timeout for silent connections; no sabotage by itself. */
export function replaceFeed(
  { container, database, listenUrl }: ReplaceableParts,
  { maxStalenessMs }: { readonly maxStalenessMs: number },
): void {
  container.override('feed', ({ clock, monotonicClock }) => {
    const report = () => undefined;
    return createPostgresChangeFeed({ listenUrl, database, maxStalenessMs, clock, monotonicClock, report });
  });
}

/** Uses the cache even if the feed has received nothing for long. */
export function trustForever({ container }: ReplaceableParts): void {
  container.override('isFresh', () => () => true);
}

/** Measures freshness by the wall clock alone. */
export function trustWallClock({ container }: ReplaceableParts): void {
  container.override('isFresh', ({ feed, clock }) => {
    const monotonicClock = { elapsedMs: () => feed.heardUpTo()?.elapsedMs ?? 0 };
    return createFreshnessCheck({ feed, clock, monotonicClock, maxStalenessMs: 1000 });
  });
}

/** Drops everything for each change of a table of an extension. */
export function forgetEverything({ container }: ReplaceableParts): void {
  container.override('feed', (_, original) => {
    const feed = original();
    return {
      ...feed,
      subscribe: (listener) =>
        feed.subscribe((change) => listener('table' in change ? { kind: 'everything' } : change)),
    };
  });
}

/** Caches everything without expiry. */
export function rememberForever(parts: ReplaceableParts): void {
  tellNothing(parts);
  trustForever(parts);
}

/** Caches organizations for users of all accounts, and checks the account only afterwards. */
export function rememberAnyones({ container }: ReplaceableParts): void {
  const known = new Map<OrganizationId, OrganizationView>();
  container.override('caches', (_, original) => ({
    ...original(),
    cachedOrganizations: (organizations) => ({
      ...organizations,
      async findForUser(id, user) {
        const view = known.get(id) ?? (await organizations.findForUser(id, user));
        if (view) known.set(id, view);
        return view;
      },
    }),
  }));
}
