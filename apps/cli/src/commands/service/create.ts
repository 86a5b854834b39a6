import { defineChange } from '../../described/kinds.ts';
import { openTo, serviceView } from '../../views/service-view.ts';
import { openToOption } from './open-to.ts';

export const serviceCreate = defineChange({
  verb: 'create',
  summary: 'Create a service: a program that accepts the tokens of this installation',
  arguments: {
    name: {
      description:
        'A name, with which its scopes begin: at most 40 lower-case letters, digits and single dashes. It can never be used again, also after the service was deleted',
    },
  },
  options: {
    openTo: {
      ...openToOption(
        'The accounts whose tokens can have the scopes of the service: all, or ids separated by commas, such as 1,42',
      ),
      required: true,
    },
    description: { value: 'text', description: 'What the service is; shown to admins who create tokens' },
  },
  examples: [
    'gatehouse service create orders --open-to all --description "Orders of customers"',
    'gatehouse service create stock --open-to 1,42',
  ],
  run: ({ createService }, caller, { name, openTo: opened, description }) =>
    createService(caller, {
      name,
      openTo: opened === 'all' ? opened : { only: opened },
      description: description ?? null,
    }),
  note: (service) =>
    `Created the service ${service.name}, which is open to ${openTo(service)}. Add its scopes with \`gatehouse service scope add ${service.name}:WORD\`. If the service uses the verifier or introspection, also create a credential with \`gatehouse service credential create ${service.name}\`. Behind a gateway that asks, it needs none.`,
  document: serviceView.document,
});
