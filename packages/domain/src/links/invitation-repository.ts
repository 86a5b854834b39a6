import type { NotAllowed } from '../access/index.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import type { AccountNotFound, InAccount } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { PasswordHash } from '../users/password-hasher.ts';
import type { User, UserId } from '../users/user.ts';
import type { Invitation, InvitationId } from './invitation.ts';
import type { LinkCodeHash, LinkNotAccepted } from './link-code.ts';

/** The error if the account has `MAX_OPEN_INVITATIONS` open invitations. */
export type TooManyInvitations = { readonly code: 'too_many_invitations' };

/** The error if an admin would replace or revoke an invitation that the operator made. */
export type InvitationOfOperator = { readonly code: 'invitation_of_operator' };

/** The error if no open invitation has this id, or one of another account has it. */
export type InvitationNotFound = { readonly code: 'invitation_not_found' };

/** The error if a user of the same account has this address. */
type AddressTaken = { readonly code: 'email_taken' };

export interface NewInvitation extends Omit<Invitation, 'invitedBy'> {
  readonly codeHash: LinkCodeHash;
  /** The admin who makes the invitation; null if the operator does. */
  readonly invitedBy: UserId | null;
}

/** An open invitation with the account that it invites to. */
export interface OpenInvitation {
  readonly invitation: Invitation;
  readonly account: Account;
}

/**
 * Stores open invitations with the hashes of their codes. Each change and its audit events are one atomic step under
 * the lock of the account, in which the maker of an invitation must still be an active admin of the account.
 * `UserRepository` deletes the invitations of an admin who is disabled or made a member.
 * Implementations pass `invitationRepositoryContract`.
 */
export interface InvitationRepository {
  /**
   * Inserts an invitation. It replaces an open one of the account for the same address, for which `audit.replaced` is
   * called. Whether a user of another account has the address makes no difference. Deletes expired invitations of the
   * account.
   */
  insert(
    invitation: NewInvitation,
    limit: number,
    audit: { readonly created: AuditEvent; readonly replaced: (before: Invitation) => AuditEvent },
  ): Promise<
    Result<
      Invitation,
      NotAllowed | AccountNotFound | AddressTaken | InvitationOfOperator | TooManyInvitations
    >
  >;

  /** Finds an invitation that can be accepted at this time. */
  findByCode(hash: LinkCodeHash, at: Instant): Promise<OpenInvitation | undefined>;

  /**
   * Gives a mailed invitation that can still be accepted another code, so that the one before is refused. Undefined for
   * any other invitation.
   */
  renewCode(id: InvitationId, hash: LinkCodeHash, at: Instant): Promise<OpenInvitation | undefined>;

  /** Returns one page of the open invitations of one account or of all accounts, sorted by id. */
  list(page: PageById<InvitationId> & InAccount & { readonly at: Instant }): Promise<readonly Invitation[]>;

  /**
   * Deletes an open invitation. If `by` is given, an admin revokes it: one of another account is not found, and one that
   * the operator made is refused.
   */
  revoke(
    id: InvitationId,
    options: {
      readonly at: Instant;
      readonly by?: { readonly accountId: AccountId };
    },
    audit: (before: Invitation) => AuditEvent,
  ): Promise<Result<Invitation, NotAllowed | InvitationNotFound | InvitationOfOperator>>;

  /**
   * Creates the user and deletes the invitation, if it can still be accepted. The address of the user is proved if the
   * invitation was mailed. Of several calls with one code, one succeeds. If a user has the address in the meantime, the code is not accepted.
   */
  accept(
    hash: LinkCodeHash,
    user: { readonly name: string; readonly passwordHash: PasswordHash; readonly at: Instant },
    audit: (created: User, invitation: Invitation) => readonly AuditEvent[],
  ): Promise<Result<User, LinkNotAccepted>>;
}
