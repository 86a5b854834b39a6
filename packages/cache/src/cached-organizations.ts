import type { Change } from '@gatehouse/domain/changes';
import type {
  Organization,
  OrganizationId,
  OrganizationReader,
  OrganizationRepository,
  OrganizationView,
} from '@gatehouse/domain/organizations';
import type { UserId } from '@gatehouse/domain/users';
import { LRUCache } from 'lru-cache';
import { boundedBy, type CacheLimits } from './limits.ts';
import { type Coherence, createReadThrough } from './read-through.ts';

/**
 * Answers `findForUser` from memory while the change feed reports every change, and neither the organization nor the
 * membership has changed. All users of an account get the same object for an organization.
 *
 * A request for an organization of another account always reads the database, even if the organization is cached for
 * its own users. If the cache answered, the shorter time would tell the caller that the organization exists.
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
      // No change makes the result "not found" outdated, so this read is never repeated. Otherwise the longer time of a
      // repeated read would reveal that another account has the organization.
      if (view === undefined) return [];
      return [
        { kind: 'organization', id },
        { kind: 'membership', organizationId: id, userId },
        { kind: 'organizations' },
        { kind: 'memberships' },
      ];
    },
    keep: (view, _, reader) => store.keep(view, reader),
  });
  return { ...organizations, findForUser };
}

/**
 * Creates the cache of organizations and memberships. At its limits, it drops the least recently used entries. It
 * stores for each user and organization whether the user is a member: the change feed reports when a user becomes a
 * member, and when a user is no longer a member.
 */
export function createOrganizationStore(limits: Pick<CacheLimits, 'organizations' | 'memberships'>) {
  const organizations = new LRUCache<OrganizationId, Organization>(boundedBy(limits.organizations, bytesOf));
  const memberships = new LRUCache<ViewKey, boolean>({
    maxSize: limits.memberships,
    sizeCalculation: () => 1,
  });

  return {
    get(id: OrganizationId, { userId, accountId }: OrganizationReader) {
      // The membership is looked up before the organization. Otherwise the time of the answer would show whether
      // another user has read the organization.
      const isMember = memberships.get(viewKey(id, userId));
      if (isMember === undefined) return undefined;
      const organization = organizations.get(id);
      // The account is compared as well, because the cache may still have memberships of a user whom an operator moved
      // to another account by SQL.
      if (organization?.accountId !== accountId) return undefined;
      return viewOf(organization, isMember);
    },
    /** Caches a view and returns it, with the cached organization if there is one. */
    keep({ organization, isMember }: OrganizationView, { userId }: OrganizationReader): OrganizationView {
      memberships.set(viewKey(organization.id, userId), isMember);
      // If the organization is cached already, it has not changed. The cached object is kept, so that all users get the
      // same object.
      const held = organizations.get(organization.id);
      if (held) return viewOf(held, isMember);
      organizations.set(organization.id, organization);
      return viewOf(organization, isMember);
    },
    /** Drops everything that the change makes outdated. */
    drop(change: Change): void {
      switch (change.kind) {
        case 'organization':
          organizations.delete(change.id);
          return;
        case 'membership':
          memberships.delete(viewKey(change.organizationId, change.userId));
          return;
        case 'organizations':
          organizations.clear();
          return;
        case 'memberships':
          memberships.clear();
          return;
        case 'everything':
          organizations.clear();
          memberships.clear();
          return;
        default:
          change.kind satisfies 'token' | 'user' | 'account' | 'key' | 'service' | 'row' | 'rows';
      }
    },
  };
}

/**
 * Creates the view of an organization for one reader, which takes 30 ns. The views are not cached, because for each
 * organization the views of members and of other readers would take 120 bytes.
 */
function viewOf(organization: Organization, isMember: boolean): OrganizationView {
  return Object.freeze({ organization, isMember });
}

/** The key of one user's view of one organization. */
type ViewKey = number | string;

const HALF = 2 ** 26;

/**
 * Returns a number that combines both ids if they are small enough, otherwise a string. Looking up a number takes a
 * third of the time of looking up a string.
 */
export function viewKey(id: OrganizationId, userId: UserId): ViewKey {
  return id < HALF && userId < HALF ? id * HALF + userId : `${id}/${userId}`;
}

/**
 * The memory that each cached organization takes without its texts, in bytes: its objects, its place in the cache, and
 * the serialized answer that the server keeps.
 */
const FIXED_BYTES = 400;

function bytesOf({ name, description }: Organization): number {
  return FIXED_BYTES + 2 * (name.length + (description?.length ?? 0));
}
