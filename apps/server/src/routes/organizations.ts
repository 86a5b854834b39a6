import type { OrganizationAnswer } from '@gatehouse/api-contract';
import { type GetOrganization, type Organization, parseOrganizationId } from '@gatehouse/domain';
import { type Authenticated, accessRefusal } from '../authentication.ts';
import type { Header } from '../http/answer.ts';
import { taggedAnswer } from '../http/etag.ts';
import type { Handler } from '../http/route.ts';

const PRIVATE: Header = ['cache-control', 'private, no-cache'];

/** GET /api/v1/orgs/{id} */
export function getOrganizationRoute(
  authenticated: Authenticated,
  getOrganization: GetOrganization,
): Handler {
  return authenticated(async (caller, event) => {
    const id = parseOrganizationId(event.context.params?.id ?? '');
    const found = await getOrganization(caller, id);
    if (!found.ok) return accessRefusal(caller, found.error);
    return taggedAnswer(event, JSON.stringify(toBody(found.value)), PRIVATE);
  });
}

function toBody({ id, name, description }: Organization): OrganizationAnswer {
  return { id, name, description };
}
