import type { Service, ServiceName } from './service.ts';

/**
 * Returns the first of the given names that a service has, or had before it was deleted; undefined if there is none. A
 * resource with such a name would have scopes that tokens were given for the service.
 *
 * @param names the names of resources that are not built in
 */
export function serviceNameAmong(
  names: readonly string[],
  services: readonly Pick<Service, 'name'>[],
): ServiceName | undefined {
  return services.find(({ name }) => names.includes(name))?.name;
}
