import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
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

  /** The organization, whoever's it is, and whether this user is a member: one read. */
  findForUser(id: OrganizationId, userId: UserId): Promise<OrganizationView | undefined>;

  /** Organizations by id; those of one account, or all. */
  list(options: { readonly accountId?: AccountId }): Promise<readonly Organization[]>;

  /** False where the user is a member already, which is no error and leaves no second event. */
  addMember(
    member: { readonly organizationId: OrganizationId; readonly userId: UserId; readonly at: Instant },
    event: AuditEvent,
  ): Promise<Result<boolean, OrganizationNotFound | UserNotFound | MemberOfAnotherAccount>>;
}
