import type { NotAllowed } from '../../access/authorize.ts';
import type { AccountId } from '../../accounts/account.ts';
import type { AccountNotFound, InAccount } from '../../accounts/account-repository.ts';
import type { Actor, AuditEvent } from '../../audit/audit-event.ts';
import type { PageById } from '../../paging.ts';
import type { Result } from '../../result.ts';
import type { Instant } from '../../time/instant.ts';
import type { Role, UserId } from '../user.ts';
import type { ServiceAccount } from './service-account.ts';

export interface NewServiceAccount {
  readonly accountId: AccountId;
  readonly name: string;
  readonly description: string | null;
  readonly role: Role;
  readonly responsibleId: UserId;
  /** Who makes it. The name and the address that this user has now are kept. */
  readonly madeBy: Actor;
  readonly createdAt: Instant;
}

/** The changes to make. One that is undefined keeps what the service account has. */
export interface ServiceAccountChanges {
  readonly name?: string | undefined;
  /** Null removes the description. */
  readonly description?: string | null | undefined;
  readonly responsibleId?: UserId | undefined;
}

export type ServiceAccountNotFound = { readonly code: 'service_account_not_found' };

/** The error if the person cannot answer for service accounts (`canAnswer`). */
export type ResponsibleNotFit = { readonly code: 'responsible_not_fit' };

export interface ServiceAccountQuery extends PageById<UserId>, InAccount {
  /** Selects the service accounts for which this user answers. */
  readonly responsibleId?: UserId | undefined;
  /** Selects those that are not disabled and for which no active admin answers. */
  readonly isUnanswered?: true | undefined;
  /** Whether to select disabled ones, or those that are not. */
  readonly isDisabled?: boolean | undefined;
}

/**
 * Stores service accounts. Their role changes, and they are disabled and enabled, by `UserRepository`. Each change and
 * its audit event are one atomic step. `insert` and `update` return `not_allowed` if the user whom the event names as
 * its actor is no longer an active admin of the account. They lock the account, so that the person who answers stays an
 * active admin until the change is made. Implementations pass `serviceAccountRepositoryContract`.
 */
export interface ServiceAccountRepository {
  /** Inserts a service account, whose address is `serviceEmail`. The actor of the event must be `madeBy`. */
  insert(
    inserting: NewServiceAccount,
    audit: (created: ServiceAccount) => AuditEvent,
  ): Promise<Result<ServiceAccount, NotAllowed | AccountNotFound | ResponsibleNotFit>>;

  find(id: UserId): Promise<ServiceAccount | undefined>;

  /** Returns one page of the selected service accounts, sorted by id. */
  list(query: ServiceAccountQuery): Promise<readonly ServiceAccount[]>;

  /**
   * Changes the service account. Changes without an effect have no event. Another responsible person must be
   * `canAnswer`.
   */
  update(
    id: UserId,
    changes: ServiceAccountChanges,
    audit: (before: ServiceAccount, after: ServiceAccount) => AuditEvent,
  ): Promise<
    Result<
      { readonly before: ServiceAccount; readonly after: ServiceAccount },
      NotAllowed | ServiceAccountNotFound | ResponsibleNotFit
    >
  >;
}
