import type { AccessDenied, Caller, Operator, Principal, Rule } from '../access/index.ts';
import { authorize, authorized, READ_ORGANIZATION } from '../access/index.ts';
import { andThen } from '../awaitable.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization, OrganizationId } from './organization.ts';
import type { OrganizationRepository, OrganizationView } from './organization-repository.ts';

/**
 * Decides whether a caller may read an organization, by token, scope, existence, account and membership, in this
 * order. docs/administer/access.md prints the complete table.
 */
export function decideOrganizationAccess(
  caller: Caller,
  found: OrganizationView | undefined,
): Result<Organization, AccessDenied> {
  const reader = authorize(caller, READ_ORGANIZATION);
  return reader.ok ? decideUnderOrganization(caller, READ_ORGANIZATION, found) : reader;
}

/** Decides whether the rule lets a caller, whom it does not deny altogether, act on what stands under an organization. */
export function decideUnderOrganization(
  caller: Caller,
  rule: Rule,
  found: OrganizationView | undefined,
): Result<Organization, AccessDenied> {
  if (!found) return err({ code: 'not_found' });
  const { organization, isMember } = found;
  const allowed = authorize(caller, rule, { accountId: organization.accountId, isMember });
  return allowed.ok ? ok(organization) : allowed;
}

/** What a resource under organizations reads of them. In servers, `findForUser` is answered from memory. */
export type OrganizationAccess = Pick<OrganizationRepository, 'findForUser' | 'findById'>;

/**
 * Finds the organization under which a caller acts, and asks the rule about it: what stands under an organization can be
 * reached by those who may reach the organization by this rule. Another account's organization counts as absent, as does an
 * id that is undefined because its text is none.
 */
export async function findOrganizationFor(
  organizations: OrganizationAccess,
  caller: Principal | Operator,
  rule: Rule,
  id: OrganizationId | undefined,
): Promise<Result<Organization, AccessDenied>> {
  const found = id === undefined ? undefined : await viewOf(organizations, caller, id);
  return decideUnderOrganization(caller, rule, found);
}

async function viewOf(organizations: OrganizationAccess, caller: Principal | Operator, id: OrganizationId) {
  if (caller.kind === 'user') return organizations.findForUser(id, caller);
  const organization = await organizations.findById(id);
  return organization && { organization, isMember: false };
}

export type GetOrganization = ReturnType<typeof getOrganization>;

/** An invalid id is passed as undefined, so that a caller who may not read organizations gets the same error for it. */
export const getOrganization = authorized(
  READ_ORGANIZATION,
  ({ organizations }: { readonly organizations: Pick<OrganizationRepository, 'findForUser'> }) =>
    (reader: Principal, id: OrganizationId | undefined) =>
      andThen(id === undefined ? undefined : organizations.findForUser(id, reader), (found) =>
        decideOrganizationAccess(reader, found),
      ),
);
