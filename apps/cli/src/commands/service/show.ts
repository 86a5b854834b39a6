import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { shownServiceView } from '../../views/shown-service-view.ts';
import { SERVICE } from './service-argument.ts';

export const serviceShow = defineSteps({
  verb: 'show',
  summary: 'Show a service: its accounts, its scopes, and its credentials with their last use',
  arguments: { service: SERVICE },
  examples: ['gatehouse service show orders', 'gatehouse service show orders --json'],
  prints: 'item',
  async steps({ findService, listServiceCredentials }, caller, { service: name }, { printer }) {
    const service = unwrap(await findService(caller, name));
    const credentials = unwrap(await listServiceCredentials(caller, name));
    await printer.item({ ...service, credentials }, shownServiceView);
  },
});
