import { VERIFY_SCOPES } from '@gatehouse/domain/access';
import { parseServiceScope } from '@gatehouse/domain/services';
import { defineRoute } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

const MESSAGE = 'must be one scope of a service, such as orders:read';

const serviceScope = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : MESSAGE) })
  .transform((text, context) => {
    const scope = parseServiceScope(text);
    if (scope !== undefined) return scope;
    context.addIssue({ code: 'custom', message: MESSAGE });
    return z.NEVER;
  })
  .meta({ description: 'The scope that the request needs at the service.', example: 'orders:read' });

export const verifyScope = defineRoute({
  operationId: 'verifyScope',
  method: 'GET',
  path: '/api/v1/verify',
  tag: 'Services',
  summary: 'Verify that a token has a scope of a service',
  description:
    'For gateways, which ask it for each request to a service with the authorization that the client sent. The headers of the answer are for the service.',
  rule: VERIFY_SCOPES,
  query: { scope: serviceScope },
  queryProblem: 'malformed_query',
  success: {
    status: 204,
    description: 'The token has the scope.',
    cacheControl: 'no-store',
    headers: {
      'X-Gatehouse-User': { description: 'The id of the owner of the token.' },
      'X-Gatehouse-Account': { description: "The id of the owner's account." },
      'X-Gatehouse-Role': { description: "The owner's role in the account: `admin` or `member`." },
      'X-Gatehouse-Token': { description: 'The id of the token.' },
      'X-Gatehouse-Scopes': {
        description: 'All scopes that the token has at the service, with spaces between them.',
      },
    },
  },
});
