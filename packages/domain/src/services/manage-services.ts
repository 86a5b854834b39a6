import { authorized, MANAGE_SERVICES } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, invalid, ok } from '../result.ts';
import { checkText } from '../text.ts';
import { parseServiceName, type Service, type ServiceName } from './service.ts';
import { type OpenTo, openedTo } from './service-changes.ts';

interface CreateServiceInput {
  readonly name: string;
  readonly description: string | null;
  readonly openTo: OpenTo;
}

/** The longest description of a service, in characters. */
const MAX_DESCRIPTION_LENGTH = 2000;

/** Creates a service without scopes and credentials. A resource of the API and a service cannot have the same name. */
export const createService = authorized(
  MANAGE_SERVICES,
  ({ services, catalog, clock }: Ports<'services' | 'catalog' | 'clock'>) =>
    async (caller, { description, ...input }: CreateServiceInput) => {
      const name = parseServiceName(input.name);
      if (name === undefined)
        return invalid(
          'name',
          'must be at most 40 lower-case letters, digits and single dashes, and begin with a letter',
        );
      const described = checkText('description', description ?? '', MAX_DESCRIPTION_LENGTH);
      if (!described.ok) return described;
      const openTo = openedTo([], input.openTo);
      if (!openTo.ok) return openTo;
      if (catalog.names.includes(name)) return err({ code: 'service_name_taken' });

      const createdAt = clock.now();
      const service: Service = {
        name,
        description: description || null,
        openTo: openTo.value,
        scopes: [],
        credentials: [],
        createdAt,
        deletedAt: null,
      };
      const details = { open_to: accountsIn(service) };
      const event = eventBy(caller, eventOf(createdAt, 'service.created', { id: name }, details));
      const inserted = await services.insert(service, event);
      return inserted.ok ? ok(service) : inserted;
    },
);

/** Lists the services that were not deleted, sorted by name. */
export const listServices = authorized(MANAGE_SERVICES, ({ services }: Ports<'services'>) => async () => {
  const all = await services.list();
  return ok(all.filter(({ deletedAt }) => deletedAt === null));
});

/** Finds a service that was not deleted. */
export const findService = authorized(
  MANAGE_SERVICES,
  ({ services }: Ports<'services'>) =>
    async (_, name: ServiceName) => {
      const all = await services.list();
      const found = all.find((service) => service.name === name && service.deletedAt === null);
      return found ? ok(found) : err({ code: 'service_not_found' });
    },
);

export interface UpdateServiceInput {
  readonly name: ServiceName;
  /** An empty text removes the description. */
  readonly description?: string;
  readonly openTo?: OpenTo;
}

/** Changes the given fields of a service. Fields that are not given keep their values. */
export const updateService = authorized(
  MANAGE_SERVICES,
  ({ services, clock }: Ports<'services' | 'clock'>) =>
    async (caller, { name, description, openTo }: UpdateServiceInput) => {
      const described = checkText('description', description ?? '', MAX_DESCRIPTION_LENGTH);
      if (!described.ok) return described;
      return services.update(
        name,
        (before) => {
          const opened = openTo === undefined ? ok(before.openTo) : openedTo(before.openTo, openTo);
          if (!opened.ok) return opened;
          const after = {
            ...before,
            openTo: opened.value,
            ...(description !== undefined && { description: description || null }),
          };
          const differs =
            after.description !== before.description || String(after.openTo) !== String(before.openTo);
          return ok(differs ? after : before);
        },
        (before, after) => {
          const described = after.description !== before.description && { description: after.description };
          const opened = String(after.openTo) !== String(before.openTo) && {
            open_to: accountsIn(after),
            formerly_open_to: accountsIn(before),
          };
          return eventBy(
            caller,
            eventOf(clock.now(), 'service.updated', { id: name }, { ...described, ...opened }),
          );
        },
      );
    },
);

/**
 * Deletes a service. Its credentials are refused from now on, and its scopes grant nothing. The names of the service and
 * of its scopes are never used again.
 */
export const deleteService = authorized(
  MANAGE_SERVICES,
  ({ services, clock }: Ports<'services' | 'clock'>) =>
    async (caller, name: ServiceName) => {
      const deletedAt = clock.now();
      return services.update(
        name,
        (before) => ok({ ...before, deletedAt }),
        () => eventBy(caller, eventOf(deletedAt, 'service.deleted', { id: name }, {})),
      );
    },
);

/** The accounts in the details of an audit event: `all`, or the ids. */
const accountsIn = ({ openTo }: Service) => (openTo === 'all' ? openTo : openTo.map(String));
