import type {
  ChangeFeed,
  OrganizationId,
  OrganizationRepository,
  OrganizationView,
  UserId,
} from '@gatehouse/domain';
import { type CacheReadCounts, noReads } from './cache-reads.ts';
import type { CacheLimits } from './limits.ts';
import { createOrganizationStore, type ViewKey, viewKey } from './organization-store.ts';
import { type Coherence, createReadThrough } from './read-through.ts';

export interface CachedOrganizationsOptions
  extends Coherence,
    Pick<CacheLimits, 'organizations' | 'memberships'> {
  readonly feed: ChangeFeed;
  /** Counted in while it is asked. */
  readonly reads?: CacheReadCounts;
}

/**
 * `findForUser` out of memory, for as long as the lease holds and neither the organization nor the membership
 * changed. The organization is the same object for all users, until it changes.
 */
export function createCachedOrganizations<Organizations extends Pick<OrganizationRepository, 'findForUser'>>(
  organizations: Organizations,
  options: CachedOrganizationsOptions,
): Organizations {
  if (options.organizations.entries === 0 || options.memberships === 0) return organizations;
  const { feed, lease, reads = noReads() } = options;
  const store = createOrganizationStore(options);
  const readThrough = createReadThrough<ViewKey, OrganizationView>(options);
  feed.subscribe((change) => store.drop(change));

  const read = (id: OrganizationId, userId: UserId) =>
    readThrough(viewKey(id, userId), {
      read: () => organizations.findForUser(id, userId),
      outdatedBy: () => [
        { kind: 'organization', id },
        { kind: 'membership', organizationId: id, userId },
      ],
      keep: (view) => store.keep(view, userId),
    });

  return {
    ...organizations,
    findForUser(id, userId) {
      if (!lease()) {
        reads.bypassed += 1;
        return organizations.findForUser(id, userId);
      }
      const view = store.get(id, userId);
      if (view === undefined) {
        reads.miss += 1;
        return read(id, userId);
      }
      reads.hit += 1;
      return Promise.resolve(view);
    },
  };
}
