import { cacheLimits, createReadCaches } from '@gatehouse/cache';
import type { Container } from '@gatehouse/container';
import { createLease, type Lease } from '@gatehouse/domain/changes';
import type { OrganizationId, OrganizationView } from '@gatehouse/domain/organizations';
import { createPostgresChangeFeed } from '@gatehouse/postgres';
import { Caches, ChangeFeed, Clock, MonotonicClock } from '../src/container.ts';
import { parseSettings } from '../src/settings/settings.ts';
import type { ReplaceableParts } from './serve-node.ts';

/** A feed that says that it hears everything, and tells nobody what. */
export function tellNothing({ container }: ReplaceableParts): void {
  const feed = container.resolve(ChangeFeed);
  container.provide(ChangeFeed, () => ({ ...feed, subscribe: () => () => undefined }));
}

/** The same feed, which gives up a silent connection after another time; no sabotage by itself. */
export function replaceFeed(
  parts: ReplaceableParts,
  { maxStalenessMs }: { readonly maxStalenessMs: number },
) {
  const { container, database, listenUrl } = parts;
  container.provide(ChangeFeed, (resolve) =>
    createPostgresChangeFeed({
      listenUrl,
      database,
      maxStalenessMs,
      clock: resolve(Clock),
      monotonicClock: resolve(MonotonicClock),
      report: () => undefined,
    }),
  );
}

/** What is remembered is used however long nothing has been heard. */
export const trustForever = withLease(() => () => true);

/** Only the wall clock tells how long nothing has been heard. */
export const trustWallClock = withLease(({ resolve }) => {
  const feed = resolve(ChangeFeed);
  const monotonicClock = { elapsedMs: () => feed.heardUpTo()?.elapsedMs ?? 0 };
  return createLease({ feed, clock: resolve(Clock), monotonicClock, maxStalenessMs: 1000 });
});

function withLease(leaseOf: (container: Container) => Lease) {
  const settings = parseSettings({});
  if (!settings.ok) throw new Error('wrong settings');
  const limits = cacheLimits(settings.value);
  return ({ container }: ReplaceableParts) => {
    container.provide(Caches, (resolve) =>
      createReadCaches({ feed: resolve(ChangeFeed), lease: leaseOf(container), limits }),
    );
  };
}

/** Both: what was read once stays for good. */
export function rememberForever(parts: ReplaceableParts): void {
  tellNothing(parts);
  trustForever(parts);
}

/** Organizations are remembered for users of all accounts, and only then it is seen whose they are. */
export function rememberAnyones({ container }: ReplaceableParts): void {
  const caches = container.resolve(Caches);
  const known = new Map<OrganizationId, OrganizationView>();
  container.provide(Caches, () => ({
    ...caches,
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
