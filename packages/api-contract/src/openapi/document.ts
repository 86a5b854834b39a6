import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';
import { ROUTES } from '../routes/index.ts';
import { bodySchema, byName, describedBodies, HEADER_PARAMETERS, HEADERS } from './components.ts';
import { checkNames } from './names.ts';
import { describedParameters, parametersOf } from './parameters.ts';
import { problemSchemas } from './problem-schemas.ts';
import { responsesOf } from './responses.ts';

const TAGS = [
  { name: 'Orgs', description: 'Organizations' },
  { name: 'Authentication', description: 'From a password to a token' },
  { name: 'Me', description: 'Who is calling' },
  { name: 'Services', description: 'For services that accept tokens of this server, and for their gateways' },
  { name: 'Keys', description: 'Public keys, for whoever verifies signatures' },
  { name: 'Description', description: 'This document' },
];

export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>;

const BEARER_FORMATS = { jwt: 'JWT', paseto: 'PASETO' } as const satisfies Record<TokenFormat, string>;

/**
 * Describes the routes, the built-in ones by default, from the schemas that requests are parsed with.
 *
 * @param origin of the server, such as `https://gatehouse.example`. Default: the origin of the document
 * @throws TypeError if two different schemas or problems have the same name (see `checkNames`)
 */
export function createOpenApiDocument(
  issuedFormat: TokenFormat,
  routes: readonly Route[] = Object.values(ROUTES),
  origin?: string,
) {
  checkNames(routes);
  const tags = tagsOf(routes);
  const byTag = tags.flatMap(({ name }) => routes.filter(({ tag }) => tag === name));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: '1.0.0',
      description: [
        'Organizations, and the tokens that may read them.',
        'HEAD works wherever GET does, and OPTIONS answers with `Allow`; another method is 405.',
        'Errors are problem documents (RFC 9457).',
      ].join(' '),
      contact: { name: 'The operators of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: origin ?? '/', description: 'The server of this document' },
      {
        url: '{protocol}://{host}',
        description: 'Another address, such as that of `npm start`',
        variables: {
          protocol: { enum: ['http', 'https'], default: 'http' },
          host: { default: 'localhost:8080' },
        },
      },
    ],
    // The link needs an absolute URL, so it is left out if the origin is not known.
    ...(origin !== undefined && {
      externalDocs: { description: 'The reference, to read', url: `${origin}/docs` },
    }),
    tags,
    paths: pathsOf(routes),
    components: {
      schemas: { ...byName(byTag.flatMap(describedBodies)), ...problemSchemas(byTag) },
      headers: HEADERS,
      parameters: { ...byName(routes.flatMap(describedParameters)), ...HEADER_PARAMETERS },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: BEARER_FORMATS[issuedFormat],
          description: 'In the header `Authorization`, and nowhere else.',
        },
        credential: {
          type: 'http',
          scheme: 'bearer',
          description: 'The credential of a service, which begins with `ghs_`.',
        },
        credentialByBasic: {
          type: 'http',
          scheme: 'basic',
          description: 'The name of a service, and its credential as the password (RFC 7617).',
        },
      },
    },
  };
}

/** Returns the tags of the built-in routes, and then those of extensions, described by their names. */
function tagsOf(routes: readonly Route[]) {
  const known = new Set(TAGS.map(({ name }) => name));
  const further = new Set(routes.map(({ tag }) => tag).filter((tag) => !known.has(tag)));
  return [...TAGS, ...Array.from(further, (name) => ({ name, description: name }))];
}

type Operation = ReturnType<typeof operationOf>;

function pathsOf(routes: readonly Route[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

function operationOf(route: Route) {
  const { operationId, tag, summary, description, body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(body && { requestBody: requestBody(bodySchema(body, 'input'), route) }),
    responses: responsesOf(route),
  };
}

function securityOf({ rule }: Route): readonly Readonly<Record<string, readonly never[]>>[] {
  if (rule === undefined) return [];
  return rule.services ? [{ credential: [] }, { credentialByBasic: [] }] : [{ bearer: [] }];
}

const FORM = 'application/x-www-form-urlencoded';

function requestBody(schema: object, { isForm, isLargeJson }: Route) {
  if (isLargeJson) {
    const description = 'At most 256 KiB, uncompressed, in UTF-8.';
    return { required: true, description, content: { 'application/json': { schema } } };
  }
  const limits = 'At most 16 KiB, uncompressed, in UTF-8. A form has at most 16 fields';
  if (isForm) return { required: true, description: `${limits}.`, content: { [FORM]: { schema } } };
  return {
    required: true,
    description: `${limits}, multipart form data at most 16 parts.`,
    content: {
      'application/json': { schema },
      [FORM]: { schema },
      'multipart/form-data': { schema },
    },
  };
}
