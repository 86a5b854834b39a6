import type { ChangeFeed } from '@gatehouse/domain/changes';
import type {
  OrganizationId,
  OrganizationReader,
  OrganizationRepository,
  OrganizationView,
} from '@gatehouse/domain/organizations';
import { type CacheReadCounts, noReads } from './cache-reads.ts';
import type { CacheLimits } from './limits.ts';
import { createOrganizationStore, type ViewKey, viewKey } from './organization-store.ts';
import { type Coherence, createReadThrough } from './read-through.ts';

interface CachedOrganizationsOptions extends Coherence, Pick<CacheLimits, 'organizations' | 'memberships'> {
  readonly feed: ChangeFeed;
  /** The counters for its reads. */
  readonly reads?: CacheReadCounts;
}

/**
 * `findForUser` from memory, for as long as the feed is fresh and neither the organization nor the membership
 * changed. The organization is the same object for all users of its account, until it changes.
 *
 * What another account has is not in memory for this user, even while its own users read it from there, so it takes
 * the same read, in as much time, as what does not exist.
 */
export function createCachedOrganizations<Organizations extends Pick<OrganizationRepository, 'findForUser'>>(
  organizations: Organizations,
  options: CachedOrganizationsOptions,
): Organizations {
  if (options.organizations.entries === 0 || options.memberships === 0) return organizations;
  const { feed, isFresh, reads = noReads() } = options;
  const store = createOrganizationStore(options);
  const readThrough = createReadThrough<ViewKey, OrganizationView>(options);
  feed.subscribe((change) => store.drop(change));

  const read = (id: OrganizationId, reader: OrganizationReader) =>
    readThrough(viewKey(id, reader.userId), {
      read: () => organizations.findForUser(id, reader),
      // Absence is not cached, and repeating the read because of a change would reveal that another account has it.
      outdatedBy: (view) =>
        view === undefined
          ? []
          : [
              { kind: 'organization', id },
              { kind: 'membership', organizationId: id, userId: reader.userId },
            ],
      keep: (view) => store.keep(view, reader),
    });

  return {
    ...organizations,
    findForUser(id, reader) {
      if (!isFresh()) {
        reads.bypassed += 1;
        return organizations.findForUser(id, reader);
      }
      const view = store.get(id, reader);
      if (view === undefined) {
        reads.miss += 1;
        return read(id, reader);
      }
      reads.hit += 1;
      return Promise.resolve(view);
    },
  };
}
