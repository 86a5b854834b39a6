import { SetupFault } from '@gatehouse/domain';
import { createService, deleteService, type ServiceName } from '@gatehouse/domain/services';
import { createWorld, OPERATOR } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { refuseNamesOfServices } from './service-names.ts';

const ORDERS = 'orders' as ServiceName;

test('an extension with the name of a service is refused, also after the service was deleted', async () => {
  const world = await createWorld();
  const refuse = (...names: readonly string[]) =>
    refuseNamesOfServices(
      world.services,
      names.map((name) => ({ name })),
    );
  await createService(world)(OPERATOR, { name: ORDERS, description: null, openTo: 'all' });
  await refuse('shift-notes');
  const refused = refuse('shift-notes', ORDERS);
  await expect(refused).rejects.toBeInstanceOf(SetupFault);
  await expect(refused).rejects.toThrow('the extension orders has the name of a service');
  await deleteService(world)(OPERATOR, ORDERS);
  await expect(refuse(ORDERS)).rejects.toThrow('give the extension another name');
});

test('without extensions nothing is read', async () => {
  await refuseNamesOfServices({ list: () => expect.fail('services were read') }, []);
});
