import { authorized } from '../access/authorized.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { MANAGE_ORGANIZATIONS } from '../access/rules.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { eventBy } from '../audit/event-by.ts';
import { pagesById } from '../paging.ts';
import { err, ok } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import type { Organization, OrganizationId } from './organization.ts';
import type { OrganizationChanges, OrganizationRepository } from './organization-repository.ts';

interface Ports {
  readonly organizations: OrganizationRepository;
  readonly clock: Clock;
}

interface CreateOrganizationInput {
  readonly accountId: AccountId;
  readonly name: string;
  readonly description: string | null;
}

export const createOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, clock }: Ports) =>
    async (caller, { accountId, description, ...input }: CreateOrganizationInput) => {
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const described = checkText('description', description ?? '', 2000);
      if (!described.ok) return described;
      const at = clock.now();
      return organizations.insert({ accountId, name: name.value, description, createdAt: at }, (created) =>
        organizationEvent(caller, { at, action: 'organization.created' }, created, { name: created.name }),
      );
    },
);

interface ListOrganizationsPorts extends Pick<Ports, 'organizations'> {
  readonly accounts: AccountRepository;
}

export const listOrganizations = authorized(
  MANAGE_ORGANIZATIONS,
  ({ accounts, organizations }: ListOrganizationsPorts) =>
    async (_, { accountId }: { readonly accountId?: AccountId | undefined }) => {
      if (accountId !== undefined && !(await accounts.findById(accountId))) {
        return err({ code: 'account_not_found' });
      }
      const filter = accountId === undefined ? {} : { accountId };
      return ok(pagesById<Organization>((page) => organizations.list({ ...filter, ...page })));
    },
);

/** Looks up an organization of any account, with the number of its members. */
export const findOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations }: Pick<Ports, 'organizations'>) =>
    async (_, id: OrganizationId) => {
      const organization = await organizations.findById(id);
      if (!organization) return err({ code: 'organization_not_found' });
      return ok({ organization, members: await organizations.countMembers(id) });
    },
);

export interface UpdateOrganizationInput {
  readonly id: OrganizationId;
  readonly name?: string;
  /** An empty text removes the description. */
  readonly description?: string;
}

/** Changes the given fields and leaves the others. */
export const updateOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, clock }: Ports) =>
    async (caller, { id, name, description }: UpdateOrganizationInput) => {
      const named = name === undefined ? undefined : checkName('name', name);
      if (named && !named.ok) return named;
      const described = checkText('description', description ?? '', 2000);
      if (!described.ok) return described;

      const changes: OrganizationChanges = {
        ...(named && { name: named.value }),
        ...(description !== undefined && { description: description || null }),
      };
      return organizations.update(id, changes, (before) =>
        organizationEvent(caller, { at: clock.now(), action: 'organization.updated' }, before, {
          name: before.name,
          ...changes,
          ...(changes.name !== undefined && { former_name: before.name }),
        }),
      );
    },
);

/** Deletes an organization and its memberships; the audit log keeps its name. */
export const deleteOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, clock }: Ports) =>
    async (caller, id: OrganizationId) =>
      organizations.delete(id, ({ organization, members }) =>
        organizationEvent(caller, { at: clock.now(), action: 'organization.deleted' }, organization, {
          name: organization.name,
          members,
        }),
      ),
);

export function organizationEvent(
  caller: Principal | Operator,
  what: Pick<AuditEvent, 'at' | 'action'>,
  { id, accountId }: Organization,
  details: AuditEvent['details'],
): AuditEvent {
  const subject = { type: 'organization', id: String(id) } as const;
  return eventBy(caller, { ...what, subject, accountId, details });
}
