import { authorized, MANAGE_SERVICES, type NarrowScope } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { invalid } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import { parseServiceScope, serviceOf } from './service.ts';
import { withoutScope, withScope } from './service-changes.ts';

interface AddServiceScopeInput {
  /** The name of a service, a colon and a word, such as `orders:read`. */
  readonly scope: string;
  readonly label: string;
  readonly allows: string;
}

/** Adds a scope to the service that its name begins with. Admins of accounts can then give the scope to tokens. */
export const addServiceScope = authorized(
  MANAGE_SERVICES,
  ({ services, clock }: Ports<'services' | 'clock'>) =>
    async (caller, { scope, ...words }: AddServiceScopeInput) => {
      const name = parseServiceScope(scope);
      if (name === undefined)
        return invalid('scope', 'must be the name of a service, a colon and a word, such as orders:read');
      const label = checkName('label', words.label);
      if (!label.ok) return label;
      const allows = checkText('allows', words.allows, 2000);
      if (!allows.ok) return allows;
      if (words.allows.trim() === '') return invalid('allows', 'must say what a token with the scope may do');
      const service = serviceOf(name);
      return services.update(
        service,
        (before) => withScope(before, { name, label: label.value, allows: words.allows }),
        () => eventBy(caller, eventOf(clock.now(), 'service.scope_added', { id: service }, { scope: name })),
      );
    },
);

/** Removes a scope from its service. Tokens keep the name of the scope, but it grants nothing. */
export const removeServiceScope = authorized(
  MANAGE_SERVICES,
  ({ services, clock }: Ports<'services' | 'clock'>) =>
    async (caller, scope: NarrowScope) => {
      const at = clock.now();
      const service = serviceOf(scope);
      return services.update(
        service,
        (before) => withoutScope(before, scope, at),
        () => eventBy(caller, eventOf(at, 'service.scope_removed', { id: service }, { scope })),
      );
    },
);
