import { defineChange } from '../../described/kinds.ts';
import { openTo, serviceView } from '../../views/service-view.ts';
import { OPENING, openingOf } from './open-to.ts';
import { SERVICE } from './service-argument.ts';

export const serviceUpdate = defineChange({
  verb: 'update',
  summary: 'Change the description of a service, or the accounts to which it is open',
  arguments: { service: SERVICE },
  options: {
    description: { value: 'text', description: 'The new description; an empty text removes it' },
    ...OPENING,
  },
  notes: [
    'If the service is closed to an account, the tokens of the account keep its scopes, but these grant nothing. If the service is opened to the account again, they grant what they did before.',
  ],
  examples: [
    'gatehouse service update orders --also-open-to 42',
    'gatehouse service update orders --open-to all --description "Orders of customers"',
  ],
  check: ({ description, ...opening }) =>
    description === undefined && openingOf(opening) === undefined
      ? 'Nothing to change: use --description, or one of --open-to, --also-open-to and --close-to.'
      : undefined,
  run: ({ updateService }, caller, { service: name, description, ...given }) => {
    const opening = openingOf(given);
    return updateService(caller, {
      name,
      ...(description !== undefined && { description }),
      ...(opening !== undefined && { openTo: opening }),
    });
  },
  note: ({ before, after }) =>
    before === after
      ? `The service ${after.name} already has these values; nothing changed.`
      : `Updated the service ${after.name}, which is open to ${openTo(after)}.`,
  document: ({ after }) => serviceView.document(after),
});
