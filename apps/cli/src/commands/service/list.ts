import { ok } from '@gatehouse/domain';
import { defineList } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { serviceView } from '../../views/service-view.ts';

export const serviceList = defineList({
  verb: 'list',
  summary: 'List the services, with their scopes',
  examples: ['gatehouse service list', 'gatehouse service list --json'],
  view: serviceView,
  run: async ({ listServices }, caller) => ok([unwrap(await listServices(caller))]),
});
