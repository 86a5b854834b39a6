import type { AccessDenied, Caller, Principal } from '../access/index.ts';
import { authorize, authorized, READ_ORGANIZATION } from '../access/index.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization, OrganizationId } from './organization.ts';
import type { OrganizationRepository, OrganizationView } from './organization-repository.ts';

/**
 * Decides whether a caller may read an organization, by token, scope, existence, account and membership, in this
 * order. docs/access.md prints the complete table.
 */
export function decideOrganizationAccess(
  caller: Caller,
  found: OrganizationView | undefined,
): Result<Organization, AccessDenied> {
  const reader = authorize(caller, READ_ORGANIZATION);
  if (!reader.ok) return reader;
  if (!found) return err({ code: 'not_found' });
  const { organization, isMember } = found;
  const allowed = authorize(caller, READ_ORGANIZATION, { accountId: organization.accountId, isMember });
  return allowed.ok ? ok(organization) : allowed;
}

export type GetOrganization = ReturnType<typeof getOrganization>;

/** An invalid id is passed as undefined, so that a caller who may not read organizations gets the same error for it. */
export const getOrganization = authorized(
  READ_ORGANIZATION,
  ({ organizations }: { readonly organizations: Pick<OrganizationRepository, 'findForUser'> }) =>
    async (reader: Principal, id: OrganizationId | undefined) => {
      const found = id === undefined ? undefined : await organizations.findForUser(id, reader);
      return decideOrganizationAccess(reader, found);
    },
);
