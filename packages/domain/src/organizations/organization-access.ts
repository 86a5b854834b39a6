import type { AccessDenied, Operator, Placed, Principal, RefusedCaller, Rule } from '../access/index.ts';
import { authorize, authorizeFound, READ_ORGANIZATION, withRule } from '../access/index.ts';
import { andThen } from '../awaitable.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization, OrganizationId } from './organization.ts';
import type { OrganizationRepository, OrganizationView } from './organization-repository.ts';

export type GetOrganization = ReturnType<typeof getOrganization>;

/**
 * Returns an organization to a user who may read it. The rule checks token, scope and role before the read, and account
 * and membership after the read. An invalid id is passed as undefined, so that a caller who may not read organizations
 * gets the same error for invalid and valid ids. docs/administer/access.md has the table of all cases.
 */
export const getOrganization = withRule(
  READ_ORGANIZATION,
  ({ organizations }: { readonly organizations: Pick<OrganizationRepository, 'findForUser'> }) =>
    (caller: Principal | RefusedCaller, id: OrganizationId | undefined) =>
      authorizeFound(caller, READ_ORGANIZATION, (reader) =>
        id === undefined ? undefined : andThen(organizations.findForUser(id, reader), placed),
      ),
);

/**
 * The functions that find the organization to which a resource, such as a shift note, belongs. In a server,
 * `findForUser` answers from a cache.
 */
export type OrganizationAccess = Pick<OrganizationRepository, 'findForUser' | 'findById'>;

/**
 * Finds the organization to which a resource belongs, and decides whether the rule allows the caller to access the
 * organization. If so, the caller may also access the resource. An organization of another account counts as absent. An
 * undefined id, which means that the text of the id was invalid, also counts as absent.
 */
export async function findOrganizationFor(
  organizations: OrganizationAccess,
  caller: Principal | Operator,
  rule: Rule,
  id: OrganizationId | undefined,
): Promise<Result<Organization, AccessDenied>> {
  const found = id === undefined ? undefined : placed(await viewFor(organizations, caller, id));
  if (!found) return err({ code: 'not_found' });
  const allowed = authorize(caller, rule, found);
  return allowed.ok ? ok(found.thing) : allowed;
}

async function viewFor(organizations: OrganizationAccess, caller: Principal | Operator, id: OrganizationId) {
  if (caller.kind === 'user') return organizations.findForUser(id, caller);
  const organization = await organizations.findById(id);
  return organization && { organization, isMember: false };
}

/** Returns an organization with its account and membership, from which `authorize` decides who may access it. */
export function placed(view: OrganizationView | undefined): Placed<Organization> | undefined {
  if (!view) return undefined;
  const { organization, isMember } = view;
  return { thing: organization, accountId: organization.accountId, isMember };
}
