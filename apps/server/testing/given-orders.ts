import type { AllPorts } from '@gatehouse/domain';
import { addServiceScope, createService, createServiceCredential } from '@gatehouse/domain/services';
import { OPERATOR, unwrap } from '@gatehouse/domain/testing';

/** Creates the service `orders`, which is open to all accounts, with two scopes and a credential. */
export async function givenOrders(
  ports: Pick<AllPorts, 'catalog' | 'clock' | 'credentialSecrets' | 'services'>,
) {
  const created = await createService(ports)(OPERATOR, { name: 'orders', description: null, openTo: 'all' });
  const { name: service } = unwrap(created);
  const add = addServiceScope(ports);
  for (const word of ['read', 'write']) {
    const input = { scope: `orders:${word}`, label: `${word} orders`, allows: `May ${word} orders.` };
    unwrap(await add(OPERATOR, input));
  }
  const credential = await createServiceCredential(ports)(OPERATOR, { service, expiry: 'never' });
  return unwrap(credential);
}
