import type { OrganizationAnswer } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import {
  type GetOrganization,
  type Organization,
  parseOrganizationId,
} from '@gatehouse/domain/organizations';
import type { Authenticated } from '../authentication.ts';
import type { Header } from '../http/answer.ts';
import { ifNoneMatch, type TaggedAnswer, taggedAnswer } from '../http/etag.ts';
import type { Handler } from '../http/route.ts';

const PRIVATE: Header = ['cache-control', 'private, no-cache'];

/** GET /api/v1/orgs/{id} */
export function getOrganizationRoute(
  authenticated: Authenticated,
  getOrganization: GetOrganization,
): Handler {
  // A cached organization is the same object until it changes: it is serialized and hashed once.
  const answers = new WeakMap<Organization, TaggedAnswer>();
  return authenticated(async (caller, event) => {
    const id = parseOrganizationId(event.context.params?.id ?? '');
    const found = await getOrganization(caller, id);
    if (!found.ok) return found;

    let answer = answers.get(found.value);
    if (!answer) {
      answer = taggedAnswer(JSON.stringify(toBody(found.value)), PRIVATE);
      answers.set(found.value, answer);
    }
    return ok(ifNoneMatch(event, answer));
  });
}

function toBody({ id, name, description }: Organization): OrganizationAnswer {
  return { id, name, description };
}
