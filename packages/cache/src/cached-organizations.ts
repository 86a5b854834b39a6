import type {
  ChangeFeed,
  OrganizationId,
  OrganizationRepository,
  OrganizationView,
  UserId,
} from '@gatehouse/domain';
import type { CacheLimits } from './limits.ts';
import { createOrganizationStore, type ViewKey, viewKey } from './organization-store.ts';
import { type Coherence, createReadThrough } from './read-through.ts';

/**
 * `findForUser` out of memory, for as long as the lease holds and neither the organization nor the membership
 * changed. The organization is the same object for all users, until it changes.
 */
export function createCachedOrganizations<Organizations extends Pick<OrganizationRepository, 'findForUser'>>(
  organizations: Organizations,
  options: Coherence & { readonly feed: ChangeFeed } & Pick<CacheLimits, 'organizations' | 'memberships'>,
): Organizations {
  if (options.organizations.entries === 0 || options.memberships === 0) return organizations;
  const { feed, lease } = options;
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
      if (!lease()) return organizations.findForUser(id, userId);
      const view = store.get(id, userId);
      return view === undefined ? read(id, userId) : Promise.resolve(view);
    },
  };
}
