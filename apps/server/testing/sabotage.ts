import { createFreshnessCheck } from '@gatehouse/domain/changes';
import type { OrganizationId, OrganizationView } from '@gatehouse/domain/organizations';
import { createPostgresChangeFeed } from '@gatehouse/postgres';
import type { ReplaceableParts } from './serve-node.ts';

/** A feed that says that it hears everything, and passes nothing on. */
export function tellNothing({ container }: ReplaceableParts): void {
  container.override('feed', (_, original) => ({ ...original(), subscribe: () => () => undefined }));
}

/** The same feed, which gives up a silent connection after another time; no sabotage by itself. */
export function replaceFeed(
  { container, database, listenUrl }: ReplaceableParts,
  { maxStalenessMs }: { readonly maxStalenessMs: number },
): void {
  container.override('feed', ({ clock, monotonicClock }) => {
    const report = () => undefined;
    return createPostgresChangeFeed({ listenUrl, database, maxStalenessMs, clock, monotonicClock, report });
  });
}

/** What is remembered is used however long nothing has been heard. */
export function trustForever({ container }: ReplaceableParts): void {
  container.override('isFresh', () => () => true);
}

/** Only the wall clock tells how long nothing has been heard. */
export function trustWallClock({ container }: ReplaceableParts): void {
  container.override('isFresh', ({ feed, clock }) => {
    const monotonicClock = { elapsedMs: () => feed.heardUpTo()?.elapsedMs ?? 0 };
    return createFreshnessCheck({ feed, clock, monotonicClock, maxStalenessMs: 1000 });
  });
}

/** Both: what was read once stays for good. */
export function rememberForever(parts: ReplaceableParts): void {
  tellNothing(parts);
  trustForever(parts);
}

/** Organizations are remembered for users of all accounts, and only then it is seen whose they are. */
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
