import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Service, ServiceName } from './service.ts';
import type { CredentialId } from './service-credential.ts';
import type { HandleSecret } from './token-changes.ts';

export type ServiceNotFound = { readonly code: 'service_not_found' };

/**
 * The error if a service has this name or had it before it was deleted, if a resource of the API has it, or if a token has
 * a scope that begins with it.
 */
export type ServiceNameTaken = { readonly code: 'service_name_taken' };

/**
 * Stores services with their scopes, accounts and credentials. Each change and its audit event are one atomic step.
 * Implementations pass `serviceRepositoryContract`.
 */
export interface ServiceRepository {
  /**
   * Inserts a service. Its name must be new, and no token may have a scope of this name: such a scope was given for an
   * extension that is no longer installed, and must not grant anything at the service.
   */
  insert(service: Service, event: AuditEvent): Promise<Result<void, ServiceNameTaken | AccountNotFound>>;

  /**
   * Returns all services, also the deleted ones, sorted by name, from one consistent read. An installation has few
   * services, and every server keeps all of them in memory.
   */
  list(): Awaitable<readonly Service[]>;

  /**
   * Locks the service against other changes, and stores what `change` returns. Nothing is stored if `change` returns an
   * error or the service itself. `change` keeps the name, and keeps all scopes and credentials in their order; it may
   * add some at the end. A deleted service is not found. The change is durable when the promise resolves.
   */
  update<E = never>(
    name: ServiceName,
    change: (before: Service) => Result<Service, E>,
    audit: (before: Service, after: Service) => AuditEvent,
  ): Promise<Result<ServiceUpdate, E | ServiceNotFound | AccountNotFound>>;

  /** Returns when each of these credentials was last used. A credential that was never used is left out. */
  findCredentialUses(ids: readonly CredentialId[]): Promise<ReadonlyMap<CredentialId, Instant>>;

  /** Returns the secret of this installation, which never changes. */
  findHandleSecret(): Promise<HandleSecret>;
}

/** A service before and after a change. Both are the same object if nothing changed. */
export interface ServiceUpdate {
  readonly before: Service;
  readonly after: Service;
}
