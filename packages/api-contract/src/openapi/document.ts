import { HEADERS, PARAMETERS, SCHEMAS } from './components.ts';
import { getJwks, getMe, getOpenApiDocument, getOrg, getPaserkKeys, signIn } from './operations.ts';

/** The name of the token format that the deployment issues, as readers of the document know it. */
export type BearerFormat = 'JWT' | 'PASETO';

export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>;

/** Describes version 1 of the interface, from the schemas that requests are parsed with. */
export function createOpenApiDocument({ bearerFormat }: { readonly bearerFormat: BearerFormat }) {
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
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{protocol}://{host}',
        variables: {
          protocol: { enum: ['http', 'https'], default: 'https' },
          host: { default: 'localhost:8080' },
        },
      },
    ],
    tags: [
      { name: 'Orgs', description: 'Organizations' },
      { name: 'Authentication', description: 'From a password to a token' },
      { name: 'Me', description: 'Who is calling' },
      { name: 'Keys', description: 'Public keys, for whoever verifies signatures' },
      { name: 'Description', description: 'This document' },
    ],
    paths: {
      '/api/v1/orgs/{id}': { get: getOrg },
      '/api/v1/auth.json': { post: signIn },
      '/api/v1/me.json': { get: getMe },
      '/openapi.json': { get: getOpenApiDocument },
      '/.well-known/jwks.json': { get: getJwks },
      '/.well-known/paserk.json': { get: getPaserkKeys },
    },
    components: {
      schemas: SCHEMAS,
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat,
          description: 'In the header `Authorization`, and nowhere else.',
        },
      },
    },
  };
}
