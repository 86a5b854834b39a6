import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { UserNotFound } from '../users/user-repository.ts';
import type { Organization, OrganizationId } from './organization.ts';

export interface NewOrganization {
  readonly accountId: AccountId;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: Instant;
}

export type OrganizationChanges = Partial<Pick<Organization, 'name' | 'description'>>;

/** An organization after a change that may have been made before. */
export interface ChangedOrganization {
  readonly organization: Organization;
  /** It was so before; nothing changed. */
  readonly already: boolean;
}

export interface DeletedOrganization {
  /** As it was. */
  readonly organization: Organization;
  /** How many users were members of it. */
  readonly members: number;
}

/** A user looking up an organization of their account: every `Principal` is one. */
export interface OrganizationReader {
  readonly userId: UserId;
  readonly accountId: AccountId;
}

/** An organization as one user finds it. */
export interface OrganizationView {
  readonly organization: Organization;
  readonly isMember: boolean;
}

export interface OrganizationNotFound {
  readonly code: 'organization_not_found';
}

/** A user can be a member only of organizations of the user's own account. */
export interface MemberOfAnotherAccount {
  readonly code: 'member_of_another_account';
}

/**
 * Organizations and their members at rest. Each change and its audit event are one atomic step.
 * Implementations pass `organizationRepositoryContract`.
 */
export interface OrganizationRepository {
  insert(
    organization: NewOrganization,
    audit: (created: Organization) => AuditEvent,
  ): Promise<Result<Organization, AccountNotFound>>;

  findById(id: OrganizationId): Promise<Organization | undefined>;

  /**
   * The organization of the user's account, and whether this user is a member: one read. An organization of another
   * account is absent here, and takes as long to find as one that does not exist.
   */
  findForUser(id: OrganizationId, reader: OrganizationReader): Promise<OrganizationView | undefined>;

  /** One page of the organizations of one account, or of all, by id: those after `after`. */
  list(page: PageById<OrganizationId> & { readonly accountId?: AccountId }): Promise<readonly Organization[]>;

  /** How many users are members of it. An organization that is not there has none. */
  countMembers(id: OrganizationId): Promise<number>;

  /**
   * Changes what is given; null is no description. Without effect (and event) where all is so already.
   * `audit` is called with the organization as before.
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

  /** False where the user is a member already, which is no error and leaves no second event. */
  addMember(
    member: { readonly organizationId: OrganizationId; readonly userId: UserId; readonly at: Instant },
    event: AuditEvent,
  ): Promise<Result<boolean, OrganizationNotFound | UserNotFound | MemberOfAnotherAccount>>;

  /** False where the user is no member, which is no error and leaves no event. */
  removeMember(
    member: { readonly organizationId: OrganizationId; readonly userId: UserId },
    event: AuditEvent,
  ): Promise<Result<boolean, OrganizationNotFound>>;
}
