import { READ_ORGANIZATION } from '@gatehouse/domain/access';
import { parseOrganizationId } from '@gatehouse/domain/organizations';
import {
  defineRoute,
  named,
  PRIVATE,
  pageOf,
  pageQuery,
  pathId,
  resourceId,
} from '@gatehouse/extension-kit/http';
import { z } from 'zod';

const organization = named(
  'Organization',
  z.strictObject({
    id: resourceId.meta({ description: 'The same as in the path, as a number.' }),
    name: z.string().meta({ description: 'For display.', example: 'Press shop' }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Free text; null if there is none.', example: 'Hall 4, night shift' }),
  }),
);

export const getOrg = defineRoute({
  operationId: 'getOrg',
  method: 'GET',
  path: '/api/v1/orgs/{id}',
  tag: 'Orgs',
  summary: 'Get an organization',
  description:
    'Needs a token with the scope `orgs:read`. Members see their organizations, admins all of the account.',
  rule: READ_ORGANIZATION,
  params: { id: named('OrganizationId', pathId(parseOrganizationId)) },
  success: {
    status: 200,
    description: 'The organization.',
    body: organization,
    cacheControl: PRIVATE,
    etag: true,
  },
  problems: ['not_allowed', 'not_found'],
});

export const listOrgs = defineRoute({
  operationId: 'listOrgs',
  method: 'GET',
  path: '/api/v1/orgs',
  tag: 'Orgs',
  summary: 'List organizations',
  description:
    'Needs a token with the scope `orgs:read`. Members see their organizations, admins all of the account.',
  rule: READ_ORGANIZATION,
  query: pageQuery(resourceId.transform((id) => parseOrganizationId(String(id)))),
  success: {
    status: 200,
    description: 'A page of organizations, the oldest first.',
    body: pageOf(organization),
    cacheControl: PRIVATE,
    etag: true,
  },
});
