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
  /** The number of members it had. */
  readonly members: number;
}

/** A user who looks up an organization of their account; every `Principal` fits. */
export type OrganizationReader = Pick<Principal, 'userId' | 'accountId'>;

/** An organization, and whether the reader is a member. */
export interface OrganizationView {
  readonly organization: Organization;
  readonly isMember: boolean;
}

type Membership = { readonly organizationId: OrganizationId; readonly userId: UserId };

type OrganizationNotFound = { readonly code: 'organization_not_found' };

/** The user and the organization belong to different accounts. */
type MemberOfAnotherAccount = { readonly code: 'member_of_another_account' };

/**
 * Stores organizations and their members. Each change and its audit event are one atomic step.
 * Implementations pass `organizationRepositoryContract`.
 */
export interface OrganizationRepository {
  insert(
    organization: NewOrganization,
    audit: (created: Organization) => AuditEvent,
  ): Promise<Result<Organization, AccountNotFound>>;

  findById(id: OrganizationId): Promise<Organization | undefined>;

  /**
   * Finds an organization of the user's account, and whether the user is a member, in one read. An organization of
   * another account counts as absent. It takes the same time to look up as an organization that does not exist.
   */
  findForUser(id: OrganizationId, reader: OrganizationReader): Awaitable<OrganizationView | undefined>;

  /** Returns one page of the organizations of one or all accounts, sorted by id and starting after `after`. */
  list(page: PageById<OrganizationId> & InAccount): Promise<readonly Organization[]>;

  /** Counts the members. An unknown organization has none. */
  countMembers(id: OrganizationId): Promise<number>;

  /**
   * Changes the given fields. Null removes the description. Records no event if no field differs. `audit` is called with the
   * organization before the change.
   */
  update(
    id: OrganizationId,
    changes: OrganizationChanges,
    audit: (before: Organization) => AuditEvent,
  ): Promise<Result<ChangedOrganization, OrganizationNotFound>>;

  /** Deletes the organization and its memberships. Its id is never used again. */
  delete(
    id: OrganizationId,
    audit: (deleted: DeletedOrganization) => AuditEvent,
  ): Promise<Result<DeletedOrganization, OrganizationNotFound>>;

  /** Returns false, and records no event, if the user already is a member. */
  addMember(
    member: Membership & { readonly at: Instant },
    event: AuditEvent,
  ): Promise<Result<boolean, OrganizationNotFound | UserNotFound | MemberOfAnotherAccount>>;

  /** Returns false, and records no event, if the user is not a member. */
  removeMember(member: Membership, event: AuditEvent): Promise<Result<boolean, OrganizationNotFound>>;
}
