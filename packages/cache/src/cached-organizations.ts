import type {
  OrganizationId,
  OrganizationReader,
  OrganizationRepository,
  OrganizationView,
} from '@gatehouse/domain/organizations';
import type { CacheLimits } from './limits.ts';
import { createOrganizationStore, viewKey } from './organization-store.ts';
import { type Coherence, createReadThrough } from './read-through.ts';

/**
 * `findForUser` from memory, for as long as the feed is fresh and neither the organization nor the membership
 * changed. The organization is the same object for all users of its account, until it changes.
 *
 * An organization of another account is never answered from memory, even while its own users get it from there. So it
 * takes the same read, and as much time, as an organization that does not exist.
 */
export function createCachedOrganizations<Organizations extends Pick<OrganizationRepository, 'findForUser'>>(
  organizations: Organizations,
  options: Coherence & Pick<CacheLimits, 'organizations' | 'memberships'>,
): Organizations {
  if (options.organizations.entries === 0 || options.memberships === 0) return organizations;
  const store = createOrganizationStore(options);
  options.feed.subscribe((change) => store.drop(change));
  const findForUser = createReadThrough<[OrganizationId, OrganizationReader], OrganizationView>(options, {
    key: (id, { userId }) => viewKey(id, userId),
    held: store.get,
    read: (id, reader) => organizations.findForUser(id, reader),
    outdatedBy(view, id, { userId }) {
      // Absence is not cached, and repeating the read because of a change would reveal that another account has it.
      if (view === undefined) return [];
      return [
        { kind: 'organization', id },
        { kind: 'membership', organizationId: id, userId },
      ];
    },
    keep: (view, _, reader) => store.keep(view, reader),
  });
  return { ...organizations, findForUser };
}
