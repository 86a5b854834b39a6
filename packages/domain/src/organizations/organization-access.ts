import type { AccessDenied, Operator, Placed, Principal, RefusedCaller, Rule } from '../access/index.ts';
import { authorize, authorizeFound, READ_ORGANIZATION, withRule } from '../access/index.ts';
import { andThen } from '../awaitable.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization, OrganizationId } from './organization.ts';
import type { OrganizationRepository, OrganizationView } from './organization-repository.ts';

export type GetOrganization = ReturnType<typeof getOrganization>;

/**
 * Returns an organization to a user who may read it. Its rule decides once: token, scope and role before the read, account and
 * membership after the read. An invalid id is passed as undefined, so that a caller who may not read organizations gets the same
 * error for it. docs/administer/access.md prints the complete table.
 */
export const getOrganization = withRule(
  READ_ORGANIZATION,
  ({ organizations }: { readonly organizations: Pick<OrganizationRepository, 'findForUser'> }) =>
    (caller: Principal | RefusedCaller, id: OrganizationId | undefined) =>
      authorizeFound(caller, READ_ORGANIZATION, (reader) =>
        id === undefined ? undefined : andThen(organizations.findForUser(id, reader), placed),
      ),
);

/** The reads of organizations that resources under them need. Servers answer `findForUser` from memory. */
export type OrganizationAccess = Pick<OrganizationRepository, 'findForUser' | 'findById'>;

/**
 * Finds the organization under which a caller acts, and asks the rule about it: a resource under an organization is open to
 * the callers who may reach the organization by this rule. Another account's organization counts as absent, and so does an
 * organization without an id, because its text was invalid.
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

/** An organization, and the facts that decide who may reach it. */
export function placed(view: OrganizationView | undefined): Placed<Organization> | undefined {
  if (!view) return undefined;
  const { organization, isMember } = view;
  return { thing: organization, accountId: organization.accountId, isMember };
}
