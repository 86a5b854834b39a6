import { authorize, authorized, MANAGE_ORGANIZATIONS } from '../access/index.ts';
import { checkAccount, type InAccount } from '../accounts/account-repository.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { guardFacts } from '../guards/guard-facts.ts';
import { pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import { findManaged } from './managed-organization.ts';
import type { Organization, OrganizationChanges, OrganizationId } from './organization.ts';

/*
 * Admins manage the organizations of their account, and operators those of every account. To an admin, an account or an
 * organization of another account counts as absent. Each change is refused if the admin loses the rights
 * before the change is made (`OrganizationRepository`).
 */

type CreateOrganizationInput = Pick<Organization, 'accountId' | 'name' | 'description'>;

/** Creates an organization in the account. A description has at most 2000 characters. */
export const createOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, guards, clock }: Ports<'organizations' | 'guards' | 'clock'>) =>
    async (caller, { accountId, description, ...input }: CreateOrganizationInput) => {
      const isOwn = authorize(caller, MANAGE_ORGANIZATIONS, { accountId }).ok;
      if (!isOwn) return err({ code: 'account_not_found' });
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const described = checkText('description', description ?? '', 2000);
      if (!described.ok) return described;
      const at = clock.now();
      const asked = { name: name.value, description };
      const guarded = await guards.check('organization.create', asked, guardFacts(caller, accountId, at));
      if (!guarded.ok) return guarded;
      return organizations.insert({ accountId, name: name.value, description, createdAt: at }, (created) =>
        eventBy(caller, eventOf(at, 'organization.created', created, { name: created.name })),
      );
    },
);

/**
 * Lists the organizations of one account, in pages that are sorted by id. The list of an operator who names no account
 * has the organizations of all accounts.
 */
export const listOrganizations = authorized(
  MANAGE_ORGANIZATIONS,
  ({ accounts, organizations }: Ports<'accounts' | 'organizations'>) =>
    async (caller, input: InAccount) => {
      const accountId = input.accountId ?? (caller.kind === 'user' ? caller.accountId : undefined);
      const isOwn = accountId === undefined || authorize(caller, MANAGE_ORGANIZATIONS, { accountId }).ok;
      if (!isOwn) return err({ code: 'account_not_found' });
      const known = await checkAccount(accounts, accountId);
      return known.ok
        ? ok(pagesById<Organization>((page) => organizations.list({ accountId, ...page })))
        : known;
    },
);

export interface UpdateOrganizationInput {
  readonly id: OrganizationId;
  readonly name?: string;
  /** An empty text removes the description. */
  readonly description?: string;
}

/** Changes the given fields of an organization. Fields that are not given keep their values. */
export const updateOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, clock }: Ports<'organizations' | 'clock'>) =>
    async (caller, { id, name, description }: UpdateOrganizationInput) => {
      const named = name === undefined ? undefined : checkName('name', name);
      if (named && !named.ok) return named;
      const described = checkText('description', description ?? '', 2000);
      if (!described.ok) return described;

      const found = await findManaged(organizations, caller, id);
      if (!found.ok) return found;
      const changes: OrganizationChanges = {
        ...(named && { name: named.value }),
        ...(description !== undefined && { description: description || null }),
      };
      return organizations.update(id, changes, (before) => {
        const renamed = changes.name !== undefined && { former_name: before.name };
        const details = { name: before.name, ...changes, ...renamed };
        return eventBy(caller, eventOf(clock.now(), 'organization.updated', before, details));
      });
    },
);

/** Deletes an organization and its memberships. The audit log keeps the name of the organization. */
export const deleteOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, guards, clock }: Ports<'organizations' | 'guards' | 'clock'>) =>
    async (caller, id: OrganizationId) => {
      const found = await findManaged(organizations, caller, id);
      if (!found.ok) return found;
      const { accountId, name } = found.value;
      const facts = guardFacts(caller, accountId, clock.now());
      const guarded = await guards.check('organization.delete', { id, name }, facts);
      if (!guarded.ok) return guarded;
      return organizations.delete(id, ({ organization, members }) => {
        const details = { name: organization.name, members };
        return eventBy(caller, eventOf(clock.now(), 'organization.deleted', organization, details));
      });
    },
);
