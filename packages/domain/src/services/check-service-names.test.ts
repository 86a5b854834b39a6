import { expect, test } from 'vitest';
import { createWorld, OPERATOR } from '../../testing/index.ts';
import { serviceNameAmong } from './check-service-names.ts';
import { createService, deleteService } from './manage-services.ts';
import type { ServiceName } from './service.ts';

test('a name of a service is found, also after the service was deleted', async () => {
  const world = await createWorld();
  for (const name of ['orders', 'stock'])
    await createService(world)(OPERATOR, { name, description: null, openTo: 'all' });
  expect(serviceNameAmong(['shift-notes', 'stock'], await world.services.list())).toBe('stock');
  await deleteService(world)(OPERATOR, 'stock' as ServiceName);
  expect(serviceNameAmong(['shift-notes', 'stock'], await world.services.list())).toBe('stock');
  expect(serviceNameAmong(['shift-notes', 'order'], await world.services.list())).toBeUndefined();
});
