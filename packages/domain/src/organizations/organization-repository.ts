import type { NotAllowed } from '../access/authorize.ts';
import type { Principal } from '../access/index.ts';
import type { AccountNotFound, InAccount } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Awaitable } from '../awaitable.ts';
import type { PageById } from '../paging.ts';
import type { ChangeOutcome, Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { UserNotFound } from '../users/user-repository.ts';
import type { Organization, OrganizationChanges, OrganizationId } from './organization.ts';

type NewOrganization = Omit<Organization, 'id'>;

type ChangedOrganization = ChangeOutcome & { readonly organization: Organization };

export interface DeletedOrganization {
  /** The organization as it was before the deletion. */
  readonly organization: Organization;
  /** The number of members before the deletion. */
  readonly members: number;
}

/** A user who looks up an organization of their account. Every `Principal` is an `OrganizationReader`. */
export type OrganizationReader = Pick<Principal, 'userId' | 'accountId'>;

/** An organization, and whether the reader is a member. */
export interface OrganizationView {
  readonly organization: Organization;
  readonly isMember: boolean;
}

type Membership = { readonly organizationId: OrganizationId; readonly userId: UserId };

type OrganizationNotFound = { readonly code: 'organization_not_found' };

/** The error if the user and the organization belong to different accounts. */
type MemberOfAnotherAccount = { readonly code: 'member_of_another_account' };

/**
 * Stores organizations and their members. Each change and its audit event are one atomic step. A change returns
 * `not_allowed` if the user whom the event names as its actor is no longer an active admin of the account when the
 * change is made. Implementations pass `organizationRepositoryContract`.
 */
export interface OrganizationRepository {
  insert(
    organization: NewOrganization,
    audit: (created: Organization) => AuditEvent,
  ): Promise<Result<Organization, NotAllowed | AccountNotFound>>;

  findById(id: OrganizationId): Promise<Organization | undefined>;

  /**
   * Finds an organization of the user's account, and whether the user is a member, in one read. An organization of
   * another account counts as absent. Finding out that it is absent takes as long as for an organization that does not
   * exist, so the time does not reveal that it exists.
   */
  findForUser(id: OrganizationId, reader: OrganizationReader): Awaitable<OrganizationView | undefined>;

  /**
   * Returns one page of the organizations of one account or of all accounts. The organizations are sorted by id, and
   * the page starts after the id `after`.
   */
  list(page: PageById<OrganizationId> & InAccount): Promise<readonly Organization[]>;

  /** Counts the members of an organization; 0 for an unknown organization. */
  countMembers(id: OrganizationId): Promise<number>;

  /**
   * Changes the given fields. Null removes the description. If no field differs, changes nothing and stores no event.
   * `audit` is called with the organization as it was before the change.
   */
  update(
    id: OrganizationId,
    changes: OrganizationChanges,
    audit: (before: Organization) => AuditEvent,
  ): Promise<Result<ChangedOrganization, NotAllowed | OrganizationNotFound>>;

  /** Deletes the organization and its memberships. The id of the organization is never used again. */
  delete(
    id: OrganizationId,
    audit: (deleted: DeletedOrganization) => AuditEvent,
  ): Promise<Result<DeletedOrganization, NotAllowed | OrganizationNotFound>>;

  /** Makes the user a member. If the user already is a member, returns false and stores no event. */
  addMember(
    member: Membership & { readonly at: Instant },
    event: AuditEvent,
  ): Promise<Result<boolean, NotAllowed | OrganizationNotFound | UserNotFound | MemberOfAnotherAccount>>;

  /** Removes the user from the members. If the user is not a member, returns false and stores no event. */
  removeMember(
    member: Membership,
    event: AuditEvent,
  ): Promise<Result<boolean, NotAllowed | OrganizationNotFound>>;
}
