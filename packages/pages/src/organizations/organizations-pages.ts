import { NEW_ORGANIZATION, ORGANIZATIONS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { deleteOrganizationPage } from './delete-organization.ts';
import { newOrganizationPage } from './new-organization.ts';
import { organizationPage } from './organization.ts';
import { organizationListPage } from './organization-list.ts';

/** The pages of the area `Organizations`, by their paths. */
export const organizationsPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [ORGANIZATIONS]: signedIn(organizationListPage(ports)),
  [NEW_ORGANIZATION]: signedIn(newOrganizationPage(ports)),
  [`${ORGANIZATIONS}/:id`]: signedIn(organizationPage(ports)),
  [`${ORGANIZATIONS}/:id/delete`]: signedIn(deleteOrganizationPage(ports)),
});
