import type { NarrowScope } from '../access/rules.ts';
import type { Token } from '../tokens/token.ts';
import { everyScopeOf, isOpenTo, livingScopes, type Service, type ServiceScope } from './service.ts';

/** The parts of a service that decide which scopes tokens have there. */
interface DecidingService extends Pick<Service, 'name' | 'deletedAt' | 'openTo'> {
  readonly scopes: readonly Pick<ServiceScope, 'name' | 'removedAt'>[];
}

/**
 * Returns the scopes that a token has at a service. The scope `*` means Gatehouse's own API and grants nothing at a
 * service, so a token gains nothing when a service is added. A removed scope, a deleted service and a service that is
 * not open to the token's account grant nothing.
 */
export function grantedScopes(
  service: DecidingService,
  { accountId, scopes }: Pick<Token, 'accountId' | 'scopes'>,
): readonly NarrowScope[] {
  if (!isOpenTo(service, accountId)) return [];
  const living = livingScopes(service).map(({ name }) => name);
  return scopes.includes(everyScopeOf(service.name))
    ? living
    : living.filter((name) => scopes.includes(name));
}
