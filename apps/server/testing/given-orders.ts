import { addServiceScope, createService, createServiceCredential } from '@gatehouse/domain/services';
import { apiToken, OPERATOR, unwrap, type World } from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';

/** Creates the service `orders` with two scopes, a credential, and a token of the admin that has one of the scopes. */
export async function givenOrders(world: World, admin: User) {
  const { name: service } = unwrap(
    await createService(world)(OPERATOR, { name: 'orders', description: null, openTo: 'all' }),
  );
  for (const word of ['read', 'write'])
    unwrap(
      await addServiceScope(world)(OPERATOR, {
        scope: `orders:${word}`,
        label: `${word} orders`,
        allows: `May ${word} orders.`,
      }),
    );
  const { credential, secret } = unwrap(
    await createServiceCredential(world)(OPERATOR, { service, expiry: 'never' }),
  );
  const token = await apiToken(world, admin, { scopes: ['*', 'orders:read'], expiry: { in: 60_000 } });
  return { service, credential, secret, token };
}
