import { ok } from '@gatehouse/domain';
import type { NarrowScope } from '@gatehouse/domain/access';
import { type Service, serviceOf } from '@gatehouse/domain/services';
import type { CommandSet } from '../../described/description.ts';
import { defineChange } from '../../described/kinds.ts';
import { Refused, unwrap } from '../../errors/refusals.ts';
import { SERVICE_SCOPE } from '../../input/parsers.ts';
import { scopeDocument } from '../../views/service-view.ts';

const SCOPE = {
  ...SERVICE_SCOPE,
  description: 'The name of the service, a colon and a word, such as orders:read',
} as const;

const scopeAdd = defineChange({
  verb: 'add',
  summary: 'Add a scope to a service, which admins can then give to tokens',
  arguments: { scope: SCOPE },
  options: {
    label: {
      value: 'text',
      description: 'A short name for admins who create tokens, such as "Read orders"',
      required: true,
    },
    allows: {
      value: 'text',
      description: 'A sentence for these admins that says what a token with the scope may do',
      required: true,
    },
  },
  notes: [
    'A token that has all scopes of the service, such as `orders:*`, has the new scope at once. A token with the scope `*` does not have it, because `*` allows nothing at services.',
  ],
  examples: [
    'gatehouse service scope add orders:read --label "Read orders" --allows "List and read all orders of the account."',
  ],
  run: ({ addServiceScope }, caller, { scope, label, allows }) =>
    addServiceScope(caller, { scope, label, allows }),
  note: (_, { scope }) => `Added the scope ${scope}. Admins can now give it to tokens.`,
  document: ({ after }) => documentOfScope(after, after.scopes.at(-1)?.name),
});

const scopeRemove = defineChange({
  verb: 'remove',
  summary: 'Permanently remove a scope: tokens keep its name, but it grants nothing',
  arguments: { scope: SCOPE },
  examples: ['gatehouse service scope remove orders:read'],
  asks: {
    action: 'remove the scope',
    question:
      'Tokens keep the name of the scope, but it will grant nothing, and the name will not be used again. Remove the scope?',
    declined: 'The scope was not removed.',
    async facts({ findService }, caller, { scope }) {
      const service = unwrap(await findService(caller, serviceOf(scope)));
      const found = scopeIn(service, scope);
      if (!found) throw new Refused({ code: 'service_scope_not_found' });
      return ok(found.removedAt === null ? [`${scope}: ${found.label}. ${found.allows}`] : undefined);
    },
  },
  async run({ removeServiceScope }, caller, { scope }) {
    const { before, after } = unwrap(await removeServiceScope(caller, scope));
    return ok({ after, scope, already: before === after });
  },
  note: ({ scope, already }) =>
    already
      ? `The scope ${scope} was removed before; nothing changed.`
      : `Removed the scope ${scope}: it grants nothing.`,
  document: ({ after, scope }) => documentOfScope(after, scope),
});

const scopeIn = ({ scopes }: Service, wanted: NarrowScope | undefined) =>
  scopes.find(({ name }) => name === wanted);

function documentOfScope(service: Service, name: NarrowScope | undefined): object {
  const scope = scopeIn(service, name);
  return { service: service.name, ...(scope && scopeDocument(scope)) };
}

export const scopeCommands: CommandSet = {
  name: 'scope',
  summary: 'Manage the scopes of services',
  commands: [scopeAdd, scopeRemove],
};
