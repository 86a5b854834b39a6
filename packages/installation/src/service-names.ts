import { SetupFault } from '@gatehouse/domain';
import { type ServiceRepository, serviceNameAmong } from '@gatehouse/domain/services';
import type { Extension } from '@gatehouse/extension-kit';

/**
 * Checks that no extension has the name of a service, past or present. Tokens that were given scopes of the service
 * would have the rights of the extension. Reads nothing if there are no extensions.
 *
 * @throws {SetupFault} if an extension has such a name
 */
export async function refuseNamesOfServices(
  services: Pick<ServiceRepository, 'list'>,
  extensions: readonly Pick<Extension, 'name'>[],
): Promise<void> {
  if (extensions.length === 0) return;
  const names = extensions.map(({ name }) => name);
  const name = serviceNameAmong(names, await services.list());
  if (name === undefined) return;
  throw new SetupFault(
    `the extension ${name} has the name of a service that \`gatehouse service create\` created, and the names of services are never used again, also after the service was deleted: give the extension another name, or remove it from packages/extensions/src/index.ts`,
  );
}
