/** The three members of every error response (RFC 9457 section 3.1). They are the same each time the problem occurs. */
export interface Problem {
  readonly type: `urn:gatehouse:problem:${string}`;
  readonly title: string;
  readonly status: number;
}

/** The status and the title of each problem. A title does not depend on the request. */
const STATUS_AND_TITLE = {
  malformed_request: [400, 'The request is malformed.'],
  cross_site_request: [400, 'A page of another site made a browser send this.'],
  malformed_body: [400, 'The body is not what its content type says.'],
  malformed_query: [400, 'The query lacks a parameter, or has one that is not valid.'],
  repeated_authorization: [400, 'The request is authorized in more than one way.'],
  token_required: [401, 'A bearer token is required.'],
  token_not_accepted: [401, 'The bearer token is not accepted.'],
  service_credential_required: [401, 'The credential of a service is required.'],
  service_credential_not_accepted: [401, 'The credential of the service is not accepted.'],
  credentials_not_accepted: [401, 'The email and the password are not accepted.'],
  insufficient_scope: [403, 'The scopes of the token do not allow this.'],
  network_not_allowed: [403, 'The token may not be used from this network.'],
  not_allowed: [403, 'The user of the token may not do this.'],
  not_found: [404, 'There is nothing here.'],
  method_not_allowed: [405, 'The method is not allowed here.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  body_too_large: [413, 'The body is larger than 16 KiB.'],
  json_too_large: [413, 'The body is larger than 256 KiB.'],
  unsupported_media_type: [
    415,
    'The body must be uncompressed JSON, a form or multipart form data, in UTF-8.',
  ],
  invalid_input: [422, 'The body has fields that are not valid.'],
  invalid_query: [422, 'The query has parameters that are not valid.'],
  too_many_attempts: [429, 'Too many attempts; try again later.'],
  too_many_streams: [429, 'Too many streams are open; try again shortly.'],
  headers_too_large: [431, 'The header fields are too large.'],
  internal_error: [500, 'Something went wrong on our side.'],
  overloaded: [503, 'Too much is going on; try again shortly.'],
  unavailable: [503, 'The service is not available for the moment.'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

/** The name of a problem; its `type` has dashes in place of the underscores. */
export type ProblemName = keyof typeof STATUS_AND_TITLE;

/** Every error of version 1 of the interface. */
export const PROBLEMS = Object.fromEntries(
  Object.entries(STATUS_AND_TITLE).map(([name, [status, title]]) => [name, problemOf(name, status, title)]),
) as Readonly<Record<ProblemName, Problem>>;

/** The problem of this name; its type has dashes in place of the underscores. */
export function problemOf(name: string, status: number, title: string): Problem {
  return { type: `urn:gatehouse:problem:${name.replaceAll('_', '-')}`, title, status };
}
