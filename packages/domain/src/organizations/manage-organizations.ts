import { authorized, MANAGE_ORGANIZATIONS } from '../access/index.ts';
import { checkAccount, type InAccount } from '../accounts/account-repository.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import type { BuiltInAction } from '../resources/built-in.ts';
import { err, ok } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import type { Organization, OrganizationChanges, OrganizationId } from './organization.ts';

type CreateOrganizationInput = Pick<Organization, 'accountId' | 'name' | 'description'>;

/** Creates an organization. A description has at most 2000 characters. */
export const createOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, clock }: Ports<'organizations' | 'clock'>) =>
    async (caller, { accountId, description, ...input }: CreateOrganizationInput) => {
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const described = checkText('description', description ?? '', 2000);
      if (!described.ok) return described;
      const at = clock.now();
      return organizations.insert({ accountId, name: name.value, description, createdAt: at }, (created) =>
        eventBy(caller, eventOf(at, 'organization.created', created, { name: created.name })),
      );
    },
);

/** Lists the organizations of one account or of all accounts, in pages that are sorted by id. */
export const listOrganizations = authorized(
  MANAGE_ORGANIZATIONS,
  ({ accounts, organizations }: Ports<'accounts' | 'organizations'>) =>
    async (_, { accountId }: InAccount) => {
      const known = await checkAccount(accounts, accountId);
      return known.ok
        ? ok(pagesById<Organization>((page) => organizations.list({ accountId, ...page })))
        : known;
    },
);

/** Finds an organization of any account, with the number of its members. */
export const findOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations }: Ports<'organizations'>) =>
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

/** Changes the given fields of an organization. Fields that are not given keep their values. */
export const updateOrganization = authorized(
  MANAGE_ORGANIZATIONS,
  ({ organizations, clock }: Ports<'organizations' | 'clock'>) =>
    async (caller, { id, name, description }: UpdateOrganizationInput) => {
      const named = name === undefined ? undefined : checkName('name', name);
      if (named && !named.ok) return named;
      const described = checkText('description', description ?? '', 2000);
      if (!described.ok) return described;

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
  ({ organizations, clock }: Ports<'organizations' | 'clock'>) =>
    async (caller, id: OrganizationId) =>
      organizations.delete(id, ({ organization, members }) => {
        const details = { name: organization.name, members };
        return eventBy(caller, eventOf(clock.now(), 'organization.deleted', organization, details));
      }),
);

/** Makes a user of the organization's account a member of the organization. */
export const addMember = changingMember('addMember', 'organization.member_added');

/**
 * Removes a member from an organization. An admin who is removed still sees the organization, because admins see all
 * organizations of the account.
 */
export const removeMember = changingMember('removeMember', 'organization.member_removed');

/** Makes a use case that calls this method of the repository to add or remove a member. */
function changingMember(
  change: 'addMember' | 'removeMember',
  action: Extract<BuiltInAction, `organization.member_${string}`>,
) {
  return authorized(
    MANAGE_ORGANIZATIONS,
    ({ organizations, users, clock }: Ports<'organizations' | 'users' | 'clock'>) =>
      async (caller, { organizationId, email }: { organizationId: OrganizationId; email: string }) => {
        const organization = await organizations.findById(organizationId);
        if (!organization) return err({ code: 'organization_not_found' });
        const user = await users.findByEmail(email);
        if (!user) return err({ code: 'user_not_found' });
        const at = clock.now();
        const event = eventOf(at, action, organization, { user_id: user.id, email: user.email });
        const member = { organizationId, userId: user.id, at };
        const changed = await organizations[change](member, eventBy(caller, event));
        return changed.ok ? ok({ organization, user, already: !changed.value }) : changed;
      },
  );
}
