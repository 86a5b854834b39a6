import { authorized } from '../access/authorized.ts';
import type { Principal } from '../access/caller.ts';
import { READ_ORGANIZATION } from '../access/rules.ts';
import type { OrganizationId } from './organization.ts';
import { decideOrganizationAccess } from './organization-access.ts';
import type { OrganizationRepository } from './organization-repository.ts';

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
