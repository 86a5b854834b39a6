import { headers, parameter, schema } from './components.ts';
import { answer, BEARER_PROBLEMS, problem, SERVICE_PROBLEMS, TRANSPORT_PROBLEMS } from './responses.ts';

const PUBLIC: readonly object[] = [];
const BEARER = [{ bearer: [] }];

export const getOrg = {
  operationId: 'getOrg',
  tags: ['Orgs'],
  summary: 'Get an organization',
  description:
    'Needs a token with the scope `orgs:read`. Members see their organizations, admins all of the account.',
  security: BEARER,
  parameters: [parameter('OrganizationId'), parameter('IfNoneMatch'), parameter('RequestId')],
  responses: {
    200: answer('The organization.', 'Organization', 'ETag', 'Cache-Control', 'X-Token-Expires-At'),
    304: {
      description: 'The caller has the current answer.',
      headers: headers('ETag', 'Cache-Control', 'X-Token-Expires-At'),
    },
    ...BEARER_PROBLEMS,
    403: problem(['insufficient_scope', 'not_allowed'], 'PossibleChallenge', 'X-Token-Expires-At'),
    404: problem(['not_found'], 'X-Token-Expires-At'),
  },
};

const signInContent = { schema: schema('SignInRequest') };

export const signIn = {
  operationId: 'signIn',
  tags: ['Authentication'],
  summary: 'Sign in',
  description:
    'Trades an email and a password for a token. Of a repeated member the last counts; other members are ignored.',
  security: PUBLIC,
  parameters: [parameter('RequestId')],
  requestBody: {
    required: true,
    description:
      'At most 16 KiB, uncompressed, in UTF-8. A form has at most 16 fields, multipart form data at most 16 parts.',
    content: {
      'application/json': signInContent,
      'application/x-www-form-urlencoded': signInContent,
      'multipart/form-data': signInContent,
    },
  },
  responses: {
    200: answer('A token that acts for the user.', 'SignInAnswer', 'Cache-Control'),
    ...TRANSPORT_PROBLEMS,
    ...SERVICE_PROBLEMS,
    400: problem(['malformed_request', 'malformed_body']),
    401: problem(['credentials_not_accepted'], 'WWW-Authenticate'),
    413: problem(['body_too_large']),
    415: problem(['unsupported_media_type']),
    422: problem(['invalid_input']),
    429: problem(['too_many_attempts'], 'Retry-After'),
    503: problem(['unavailable', 'overloaded'], 'Retry-After'),
  },
};

export const getMe = {
  operationId: 'getMe',
  tags: ['Me'],
  summary: 'Get the user and the token that are calling',
  description: 'Needs a token with the scope `me:read`.',
  security: BEARER,
  parameters: [parameter('RequestId')],
  responses: {
    200: answer('The user and the token.', 'Me', 'Cache-Control', 'X-Token-Expires-At'),
    ...BEARER_PROBLEMS,
    403: problem(['insufficient_scope'], 'WWW-Authenticate', 'X-Token-Expires-At'),
  },
};

export const getOpenApiDocument = {
  operationId: 'getOpenApiDocument',
  tags: ['Description'],
  summary: 'Get this document',
  security: PUBLIC,
  parameters: [parameter('RequestId')],
  responses: { 200: answer('This document.', 'OpenApiDocument', 'Cache-Control'), ...TRANSPORT_PROBLEMS },
};

export const getJwks = {
  operationId: 'getJwks',
  tags: ['Keys'],
  summary: 'Get the public keys of JWTs',
  security: PUBLIC,
  parameters: [parameter('RequestId')],
  responses: {
    200: answer('The keys under which JWTs are accepted now.', 'JsonWebKeySet', 'Cache-Control'),
    ...TRANSPORT_PROBLEMS,
    ...SERVICE_PROBLEMS,
  },
};

export const getPaserkKeys = {
  operationId: 'getPaserkKeys',
  tags: ['Keys'],
  summary: 'Get the public keys of PASETO tokens',
  security: PUBLIC,
  parameters: [parameter('RequestId')],
  responses: {
    200: answer('The keys under which PASETO tokens are accepted now.', 'PaserkKeySet', 'Cache-Control'),
    ...TRANSPORT_PROBLEMS,
    ...SERVICE_PROBLEMS,
  },
};
