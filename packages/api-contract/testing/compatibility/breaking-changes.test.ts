import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createOpenApiDocument } from '../../src/index.ts';
import { breakingChanges } from './breaking-changes.ts';

const served = () => JSON.parse(JSON.stringify(createOpenApiDocument('paseto')));

test('no client of the last released version breaks (docs/use/compatibility.md)', () => {
  const released = readFileSync(new URL('../../released/openapi.json', import.meta.url), 'utf8');
  expect(breakingChanges(JSON.parse(released), served())).toEqual([]);
});

// A document of JSON has no narrower type that every change below compiles with.
// biome-ignore lint/suspicious/noExplicitAny: a change reaches anywhere into the document
type Change = (document: any) => void;

const ORG = '/api/v1/orgs/{id}';
const AUTH = '/api/v1/auth.json';

describe('a client breaks if', () => {
  test.each<[string, Change, string]>([
    ['a path is gone', ({ paths }) => delete paths[ORG], `GET ${ORG}: is gone`],
    [
      'an operation has another name',
      ({ paths }) => {
        paths[ORG].get.operationId = 'readOrg';
      },
      `GET ${ORG}: operationId was getOrg, and is readOrg`,
    ],
    [
      'a public operation needs a token',
      ({ paths }) => {
        paths[AUTH].post.security = [{ bearer: [] }];
      },
      `POST ${AUTH}: needs a token now`,
    ],
    ['a parameter is gone', ({ paths }) => paths[ORG].get.parameters.shift(), `GET ${ORG} path id: is gone`],
    [
      'a parameter is demanded',
      ({ paths }) => paths[ORG].get.parameters.push({ name: 'as', in: 'query', required: true, schema: {} }),
      `GET ${ORG} query as: is required now`,
    ],
    [
      'a parameter takes less',
      ({ components }) => {
        components.parameters.OrganizationId.schema.maxLength = 3;
      },
      `GET ${ORG} path id: maxLength was undefined, and is 3`,
    ],
    [
      'a parameter takes some values only',
      ({ components }) => {
        components.parameters.OrganizationId.schema.enum = ['1'];
      },
      `GET ${ORG} path id: can be anything no more`,
    ],
    [
      'a member of the body is demanded',
      ({ components }) => components.schemas.SignInRequest.required.push('code'),
      `POST ${AUTH} body.code: is required now`,
    ],
    [
      'a member of the body has another type',
      ({ components }) => {
        components.schemas.SignInRequest.properties.email.type = 'integer';
      },
      `POST ${AUTH} body.email: string is not accepted any more`,
    ],
    [
      'a content type is not taken',
      ({ paths }) => delete paths[AUTH].post.requestBody.content['multipart/form-data'],
      `POST ${AUTH}: does not take multipart/form-data any more`,
    ],
    [
      'a body is demanded',
      ({ paths }) => {
        paths[ORG].get.requestBody = paths[AUTH].post.requestBody;
      },
      `GET ${ORG}: needs a body now`,
    ],
    [
      'a member of an answer is gone',
      ({ components }) => delete components.schemas.Organization.properties.name,
      `GET ${ORG} 200.name: is gone`,
    ],
    [
      'a member of an answer need not be there',
      ({ components }) => {
        const { required } = components.schemas.Organization;
        required.splice(required.indexOf('description'), 1);
      },
      `GET ${ORG} 200.description: was always there, and need not be now`,
    ],
    [
      'a member of an answer has values of its own',
      ({ components }) => components.schemas.Me.properties.role.enum.push('auditor'),
      'GET /api/v1/me.json 200.role: "auditor" is new',
    ],
    [
      'a member of an answer may be null',
      ({ components }) => {
        components.schemas.Organization.properties.name.type = ['string', 'null'];
      },
      `GET ${ORG} 200.name: null is new`,
    ],
    [
      'a member in a list has another type',
      ({ components }) => {
        components.schemas.JsonWebKeySet.properties.keys.items.properties.kid.type = 'integer';
      },
      'GET /.well-known/jwks.json 200.keys[].kid: integer is new',
    ],
    [
      'an answer is one thing or another',
      ({ components }) => {
        components.schemas.Organization.oneOf = [{ type: 'object' }, { type: 'object' }];
      },
      `GET ${ORG} 200: can be something that it could not be`,
    ],
    [
      'a status is new',
      ({ paths }) => {
        paths[ORG].get.responses[429] = paths[ORG].get.responses[404];
      },
      `GET ${ORG}: can answer 429 now`,
    ],
    [
      'a status is gone',
      ({ paths }) => delete paths[ORG].get.responses[304],
      `GET ${ORG}: does not answer 304 any more`,
    ],
    [
      'a header is gone',
      ({ paths }) => delete paths[ORG].get.responses[200].headers.ETag,
      `GET ${ORG} 200 ETag: is gone`,
    ],
    [
      'a header need not be there',
      ({ components }) => {
        components.headers.ETag.required = false;
      },
      `GET ${ORG} 200 ETag: was always there, and need not be now`,
    ],
    [
      'a problem is gone',
      ({ paths }) => paths[ORG].get.responses[401].content['application/problem+json'].schema.oneOf.pop(),
      `GET ${ORG} 401: urn:gatehouse:problem:token-not-accepted is gone`,
    ],
  ])('%s', (_, change, told) => {
    const changed = served();
    change(changed);
    expect(breakingChanges(served(), changed)).toContain(told);
  });
});

describe('no client breaks if', () => {
  test.each<[string, Change]>([
    [
      'a path comes',
      ({ paths }) => {
        paths['/api/v2'] = paths[ORG];
      },
    ],
    [
      'an optional parameter comes',
      ({ paths }) => paths[ORG].get.parameters.push({ name: 'as', in: 'query', required: false, schema: {} }),
    ],
    [
      'a member of the body need not be there',
      ({ components }) => components.schemas.SignInRequest.required.pop(),
    ],
    [
      'a member of the body may be longer',
      ({ components }) => {
        components.schemas.SignInRequest.properties.email.maxLength = 500;
      },
    ],
    [
      'a member of an answer comes',
      ({ components }) => {
        components.schemas.Organization.properties.city = { type: 'string' };
      },
    ],
    [
      'a member that could be null cannot be',
      ({ components }) => components.schemas.Organization.properties.description.type.pop(),
    ],
    [
      'a problem of a known status comes, and titles and descriptions change',
      ({ paths, components }) => {
        const { responses } = paths[ORG].get;
        responses[404].content['application/problem+json'].schema = {
          oneOf: [
            { $ref: '#/components/schemas/NotFoundProblem' },
            { properties: { type: { const: 'urn:x' } } },
          ],
        };
        components.schemas.NotFoundProblem.properties.title.const = 'Gone.';
        responses[200].description = 'It.';
      },
    ],
    [
      'a schema stands in its place, and not in another',
      ({ paths, components }) => {
        paths[ORG].get.responses[200].content['application/json'].schema = components.schemas.Organization;
      },
    ],
  ])('%s', (_, change) => {
    const changed = served();
    change(changed);
    expect(breakingChanges(served(), changed)).toEqual([]);
  });
});
