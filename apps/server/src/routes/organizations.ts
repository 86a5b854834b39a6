import { ROUTES } from '@gatehouse/api-contract';
import type { GetOrganization } from '@gatehouse/domain/organizations';
import { serveRoute } from '@gatehouse/http';

export const getOrgRoute = (getOrganization: GetOrganization) =>
  serveRoute(ROUTES.getOrg, {
    handle: ({ caller, params }) => getOrganization(caller, params.id),
    toBody: ({ id, name, description }) => ({ id, name, description }),
  });
