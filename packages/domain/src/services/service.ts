import type { NarrowScope } from '../access/rules.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Brand } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { ServiceCredential } from './service-credential.ts';

/**
 * The name of a service, such as `orders`, which identifies the service. A name is never used again, so that the scopes
 * of a deleted service never grant the rights of another service.
 */
export type ServiceName = Brand<string, 'ServiceName'>;

/** A program that accepts tokens of this installation, with scopes of its own. */
export interface Service {
  readonly name: ServiceName;
  readonly description: string | null;
  /** The accounts whose tokens the service may accept. */
  readonly openTo: 'all' | readonly AccountId[];
  /** All scopes, also the removed ones, in the order in which they were added. */
  readonly scopes: readonly ServiceScope[];
  /** All credentials, also those that have ended, oldest first. */
  readonly credentials: readonly ServiceCredential[];
  readonly createdAt: Instant;
  /** The time at which the service was deleted; null if it was not. */
  readonly deletedAt: Instant | null;
}

/** A scope of a service. `label` and `allows` are shown to admins who create tokens. */
export interface ServiceScope {
  /** The name of the service, a colon and a word, such as `orders:read`. A name is never used again. */
  readonly name: NarrowScope;
  /** A short name for the scope, such as "Read orders". */
  readonly label: string;
  /** A sentence that describes what a token with the scope may do. */
  readonly allows: string;
  /** The time at which the scope was removed; null if it was not. A removed scope grants nothing. */
  readonly removedAt: Instant | null;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Parses the name of a service: at most 40 lower-case letters, digits and single dashes, beginning with a letter. */
export function parseServiceName(text: string): ServiceName | undefined {
  return text.length <= 40 && NAME.test(text) ? (text as ServiceName) : undefined;
}

const ACTION = /^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*$/;

/**
 * Parses the name of one scope of any service, such as `orders:read`. The word after the colon has at most 40 lower-case
 * letters and digits, with single dashes, dots or underscores between them.
 */
export function parseServiceScope(text: string): NarrowScope | undefined {
  const [name = '', action = '', ...more] = text.split(':');
  const fits = more.length === 0 && action.length <= 40 && ACTION.test(action) && parseServiceName(name);
  return fits ? (text as NarrowScope) : undefined;
}

/** Returns the name of the service to which a scope would belong: the part before the colon. */
export const serviceOf = (scope: NarrowScope) => scope.slice(0, scope.indexOf(':')) as ServiceName;

/** Returns the scope that stands for all scopes of a service, those of today and those that are added later. */
export const everyScopeOf = (name: ServiceName): NarrowScope => `${name}:*`;

/** Whether the service still exists and may accept tokens of this account. */
export function isOpenTo(
  { deletedAt, openTo }: Pick<Service, 'deletedAt' | 'openTo'>,
  accountId: AccountId,
): boolean {
  return deletedAt === null && (openTo === 'all' || openTo.includes(accountId));
}

/** The scopes of a service that were not removed. */
export const livingScopes = <Scope extends Pick<ServiceScope, 'removedAt'>>({
  scopes,
}: {
  readonly scopes: readonly Scope[];
}): readonly Scope[] => scopes.filter(({ removedAt }) => removedAt === null);
