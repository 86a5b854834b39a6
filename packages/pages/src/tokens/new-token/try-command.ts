import type { Scope } from '@gatehouse/domain/access';
import { everyScopeOf, type ScopeChoices } from '@gatehouse/domain/services';

/**
 * Writes a command that tries a new token: it reads the owner of the token if the token may do that. A token that has
 * only scopes of services cannot use the API, so the command asks whether the token has one of these scopes.
 */
export function tryCommand(
  { own, services }: ScopeChoices,
  origin: string,
  secret: string,
  scopes: readonly Scope[],
): string {
  const ask = (path: string, options = '') =>
    `curl ${options}-H 'Authorization: Bearer ${secret}' ${origin}/api/v1/${path}`;
  if (scopes.some((scope) => scope === '*' || scope === 'me:read')) return ask('me.json');
  const ofService = scopes.some((scope) => own.includes(scope)) ? undefined : firstOf(services, scopes);
  return ofService === undefined ? ask('orgs/1') : ask(`verify?scope=${ofService}`, '-i ');
}

/** Returns the first scope of a service that the token has. A token with `orders:*` has all scopes of the service. */
function firstOf(services: ScopeChoices['services'], scopes: readonly Scope[]): Scope | undefined {
  for (const { name, scopes: all } of services) {
    const every = everyScopeOf(name);
    const found = all.find((scope) => scope !== every && (scopes.includes(scope) || scopes.includes(every)));
    if (found !== undefined) return found;
  }
  return undefined;
}
