import { authorized, MANAGE_ACCOUNTS, MANAGE_EXTENSIONS, MANAGE_ORGANIZATIONS } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { findManaged } from '../organizations/managed-organization.ts';
import type { OrganizationId } from '../organizations/organization.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';

/**
 * Finds an organization, and counts what is lost if it is deleted: its members, and the rows of extensions that belong
 * to it. To an admin, an organization of another account counts as absent.
 */
export const findOrganizationLosses = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, extensionSchemas }: Ports<'organizations' | 'extensionSchemas'>) =>
    async (caller, id: OrganizationId) => {
      const found = await findManaged(organizations, caller, id);
      if (!found.ok) return found;
      const members = await organizations.countMembers(id);
      return ok({
        organization: found.value,
        members,
        belongings: await extensionSchemas.countBelongings(id),
      });
    },
);

/**
 * Counts the rows of extensions that belong to an account or its organizations, each count up to `limit`. If the
 * account is suspended, servers no longer return these rows.
 */
export const findAccountBelongings = authorized(
  MANAGE_ACCOUNTS,
  ({ extensionSchemas }: Ports<'extensionSchemas'>) =>
    async (_, { id, limit }: { readonly id: AccountId; readonly limit: number }) =>
      ok(await extensionSchemas.countBelongingsOfAccount(id, limit)),
);

/** Lists the tables of an extension with the number of their rows. The extension need not be installed. */
export const findExtensionTables = authorized(
  MANAGE_EXTENSIONS,
  ({ extensionSchemas }: Ports<'extensionSchemas'>) =>
    async (_, name: string) =>
      extensionSchemas.findTables(name),
);

/** Drops the tables of an extension. The audit log records how many rows each table had. */
export const dropExtensionTables = authorized(
  MANAGE_EXTENSIONS,
  ({ extensionSchemas, clock }: Ports<'extensionSchemas' | 'clock'>) =>
    async (caller, name: string) =>
      extensionSchemas.drop(name, (dropped) => {
        const tables = dropped.map(({ table, rows }) => `${table}: ${rows}`);
        return eventBy(caller, eventOf(clock.now(), 'extension.dropped', { id: name }, { tables }));
      }),
);
