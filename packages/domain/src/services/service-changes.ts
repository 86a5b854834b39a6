import type { NarrowScope } from '../access/rules.ts';
import type { AccountId } from '../accounts/account.ts';
import { err, type InvalidInput, invalid, ok, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import { livingScopes, type Service, type ServiceScope } from './service.ts';

/** The accounts to which a service is opened: all accounts, exactly these, or these in addition or no longer. */
export type OpenTo =
  | 'all'
  | { readonly only: readonly AccountId[] }
  | { readonly also: readonly AccountId[] }
  | { readonly without: readonly AccountId[] };

/** The scope exists or existed, and a name is never used again. */
export type ServiceScopeTaken = { readonly code: 'service_scope_taken' };

export type ServiceScopeNotFound = { readonly code: 'service_scope_not_found' };

/** The largest number of accounts to which a service can be opened one by one, because servers keep them in memory. */
export const MAX_LISTED_ACCOUNTS = 1000;

/** The largest number of scopes of a service, with the removed ones. */
export const MAX_SERVICE_SCOPES = 100;

/** Returns the accounts after the change, sorted by id. */
export function openedTo(before: Service['openTo'], change: OpenTo): Result<Service['openTo'], InvalidInput> {
  if (change === 'all' || (before === 'all' && 'also' in change)) return ok('all');
  if (before === 'all' && 'without' in change)
    return invalid(
      'accounts',
      'cannot be removed while the service is open to all accounts: first open it to listed accounts only',
    );
  const listed = before === 'all' ? [] : before;
  const accounts = listedAfter(listed, change);
  return accounts.length > MAX_LISTED_ACCOUNTS
    ? invalid('accounts', `must be at most ${MAX_LISTED_ACCOUNTS}; a service for more is open to all`)
    : ok(accounts);
}

function listedAfter(listed: readonly AccountId[], change: Exclude<OpenTo, 'all'>): readonly AccountId[] {
  if ('without' in change) return listed.filter((id) => !change.without.includes(id));
  const all = 'only' in change ? change.only : [...listed, ...change.also];
  return [...new Set(all)].sort((one, other) => one - other);
}

/**
 * The largest length of the names of a service's scopes with the spaces between them, in characters. Gateways send them
 * to the service in one header, and many servers accept at most 8 KiB of headers.
 */
export const MAX_SCOPES_LENGTH = 4000;

/** Adds a scope to a service. */
export function withScope(
  service: Service,
  scope: Omit<ServiceScope, 'removedAt'>,
): Result<Service, ServiceScopeTaken | InvalidInput> {
  if (service.scopes.some(({ name }) => name === scope.name)) return err({ code: 'service_scope_taken' });
  if (service.scopes.length === MAX_SERVICE_SCOPES)
    return invalid(
      'scope',
      `cannot be added: the service has had ${MAX_SERVICE_SCOPES} scopes, the most it can have`,
    );
  const names = [...livingScopes(service), scope].map(({ name }) => name).join(' ');
  if (names.length > MAX_SCOPES_LENGTH)
    return invalid(
      'scope',
      `is too long: the names of all scopes together have at most ${MAX_SCOPES_LENGTH} characters`,
    );
  return ok({ ...service, scopes: [...service.scopes, { ...scope, removedAt: null }] });
}

/** Removes a scope from a service. Returns the service itself if the scope was removed before. */
export function withoutScope(
  service: Service,
  name: NarrowScope,
  removedAt: Instant,
): Result<Service, ServiceScopeNotFound> {
  const scope = service.scopes.find((each) => each.name === name);
  if (!scope) return err({ code: 'service_scope_not_found' });
  if (scope.removedAt !== null) return ok(service);
  return ok({
    ...service,
    scopes: service.scopes.map((each) => (each === scope ? { ...each, removedAt } : each)),
  });
}
