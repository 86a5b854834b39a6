import type { Change } from '@gatehouse/domain/changes';
import type {
  Organization,
  OrganizationId,
  OrganizationReader,
  OrganizationView,
} from '@gatehouse/domain/organizations';
import type { UserId } from '@gatehouse/domain/users';
import { LRUCache } from 'lru-cache';
import { boundedBy, type CacheLimits, type Limit } from './limits.ts';

/** Organizations, and who is a member of them; the least recently used of each give way. */
export interface OrganizationStore {
  get(id: OrganizationId, reader: OrganizationReader): OrganizationView | undefined;
  /** Answers the view with the organization that is held already, if one is. */
  keep(view: OrganizationView, reader: OrganizationReader): OrganizationView;
  /** Lets go of all that the change outdates. */
  drop(change: Change): void;
}

/** The two views that users can have of an organization, made once. */
interface Views {
  readonly asMember: OrganizationView;
  readonly asStranger: OrganizationView;
}

/** Both ways of being or not being a member are facts to remember: a change of either is told. */
export function createOrganizationStore(limits: {
  readonly organizations: Limit;
  readonly memberships: CacheLimits['memberships'];
}): OrganizationStore {
  const organizations = new LRUCache<OrganizationId, Views>(
    boundedBy(limits.organizations, ({ asMember }) => bytesOf(asMember.organization)),
  );
  const memberships = new LRUCache<ViewKey, boolean>({
    maxSize: limits.memberships,
    sizeCalculation: () => 1,
  });

  return {
    get(id, { userId, accountId }) {
      // The membership first: whether other users' reads hold the organization must show neither in time nor in what
      // is evicted.
      const isMember = memberships.get(viewKey(id, userId));
      if (isMember === undefined) return undefined;
      const views = organizations.get(id);
      // A user whom SQL moved to another account leaves memberships behind.
      if (views?.asMember.organization.accountId !== accountId) return undefined;
      return viewOf(views, isMember);
    },
    keep({ organization, isMember }, { userId }) {
      memberships.set(viewKey(organization.id, userId), isMember);
      // One that is held has not changed: it stays, so that everyone is given the same object.
      const held = organizations.get(organization.id);
      if (held) return viewOf(held, isMember);
      const views = viewsOf(organization);
      organizations.set(organization.id, views);
      return viewOf(views, isMember);
    },
    drop(change) {
      switch (change.kind) {
        case 'organization':
          organizations.delete(change.id);
          return;
        case 'membership':
          memberships.delete(viewKey(change.organizationId, change.userId));
          return;
        case 'everything':
          organizations.clear();
          memberships.clear();
          return;
        case 'token':
        case 'user':
        case 'account':
        case 'key':
          return;
      }
    },
  };
}

function viewOf(views: Views, isMember: boolean): OrganizationView {
  return isMember ? views.asMember : views.asStranger;
}

/** What one user's view of one organization is known by. */
export type ViewKey = number | string;

const HALF = 2 ** 26;

/** One number where both ids fit into it, which is looked up in a third of the time that a string takes. */
export function viewKey(id: OrganizationId, userId: UserId): ViewKey {
  return id < HALF && userId < HALF ? id * HALF + userId : `${id}/${userId}`;
}

function viewsOf(organization: Organization): Views {
  return {
    asMember: Object.freeze({ organization, isMember: true }),
    asStranger: Object.freeze({ organization, isMember: false }),
  };
}

/** Its objects and its place in the store. */
const FIXED_BYTES = 400;

function bytesOf({ name, description }: Organization): number {
  return FIXED_BYTES + 2 * (name.length + (description?.length ?? 0));
}
