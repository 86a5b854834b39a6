import { ok } from '@gatehouse/domain';
import { type CredentialWithUse, livingScopes, type Service } from '@gatehouse/domain/services';
import { defineChange } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { usedCredential } from '../../views/credential-view.ts';
import { serviceView } from '../../views/service-view.ts';
import { SERVICE } from './service-argument.ts';

export const serviceDelete = defineChange({
  verb: 'delete',
  summary: 'Permanently delete a service: its credentials are refused, and its scopes grant nothing',
  arguments: { service: SERVICE },
  notes: [
    'Tokens keep the names of the scopes. So that these names can never grant the rights of another service, the names of the service and of its scopes are not used again.',
  ],
  examples: ['gatehouse service delete orders'],
  asks: {
    action: 'delete the service',
    question:
      'This cannot be undone, and the names of the service and its scopes will not be used again. Delete the service?',
    declined: 'The service was not deleted.',
    async facts({ findService, listServiceCredentials }, caller, { service: name }) {
      const service = unwrap(await findService(caller, name));
      return ok(factsOf(service, unwrap(await listServiceCredentials(caller, name))));
    },
  },
  run: ({ deleteService }, caller, { service: name }) => deleteService(caller, name),
  note: ({ after: { name } }) =>
    `Deleted the service ${name}: its credentials are refused, and its scopes grant nothing.`,
  document: ({ after }) => serviceView.document(after),
});

/** Lists the scopes that grant something, and the credentials that are accepted. */
function factsOf(service: Service, credentials: readonly CredentialWithUse[]): readonly string[] {
  const scopes = livingScopes(service).map(({ name }) => name);
  const accepted = credentials.filter(({ state }) => state === 'active');
  return [
    scopes.length === 0
      ? `The service ${service.name} has no scopes.`
      : `Tokens with these scopes will be refused by the service ${service.name}: ${scopes.join(', ')}.`,
    ...accepted.map((credential) => `${usedCredential(credential)} and will be refused.`),
  ];
}
