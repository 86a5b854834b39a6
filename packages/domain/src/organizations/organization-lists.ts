import type { AccountId } from '../accounts/account.ts';
import type { Instant } from '../time/instant.ts';
import type { User, UserId } from '../users/user.ts';
import type { Organization, OrganizationId } from './organization.ts';

/** The orders of organizations: by id, which is the order in which they were created, or the reverse. */
export const ORGANIZATION_ORDERS = ['oldest', 'newest'] as const;

export type OrganizationOrder = (typeof ORGANIZATION_ORDERS)[number];

/** Selects one page of the organizations of an account. */
export interface OrganizationListQuery {
  readonly accountId: AccountId;
  /** Selects only organizations that this user is a member of. */
  readonly memberId?: UserId | undefined;
  /** Selects only organizations whose name contains this text. Upper and lower case are equal. */
  readonly search?: string | undefined;
  /** Default: `oldest`. */
  readonly order?: OrganizationOrder | undefined;
  /** The last id of the previous page. The organization with this id may have been deleted since. */
  readonly after?: OrganizationId | undefined;
  readonly limit: number;
}

/** An organization, and the number of its members. */
export interface CountedOrganization {
  readonly organization: Organization;
  readonly members: number;
}

/** A member of an organization, and the time at which the user became a member. */
export interface OrganizationMember {
  readonly user: User;
  readonly addedAt: Instant;
}

/** Selects one page of the members of an organization. */
export interface MemberListQuery {
  readonly organizationId: OrganizationId;
  /** The last id of the previous page. */
  readonly after?: UserId | undefined;
  readonly limit: number;
}

/**
 * Lists organizations and their members for people and programs of an account. The time that a page of a list takes
 * does not grow with the number of items before it. Implementations pass `organizationListsContract`.
 */
export interface OrganizationLists {
  /** Returns the organizations that the query selects, in its order. */
  list(query: OrganizationListQuery): Promise<readonly Organization[]>;

  /** Returns the organizations that `list` returns, each with its number of members, counted up to `countLimit`. */
  listCounted(
    query: OrganizationListQuery & { readonly countLimit: number },
  ): Promise<readonly CountedOrganization[]>;

  /** Returns the members of an organization, sorted by the ids of the users. An unknown organization has none. */
  listMembers(query: MemberListQuery): Promise<readonly OrganizationMember[]>;
}
