import { ok } from '@gatehouse/domain';
import { defineList } from '../../../described/kinds.ts';
import { unwrap } from '../../../errors/refusals.ts';
import { credentialView } from '../../../views/credential-view.ts';
import { SERVICE } from '../service-argument.ts';

export const credentialList = defineList({
  verb: 'list',
  summary: 'List the credentials of a service, oldest first, also those that have ended',
  arguments: { service: SERVICE },
  examples: ['gatehouse service credential list orders'],
  view: credentialView,
  run: async ({ listServiceCredentials }, caller, { service }) =>
    ok([unwrap(await listServiceCredentials(caller, service))]),
});
