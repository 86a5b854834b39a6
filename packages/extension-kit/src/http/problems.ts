/** The three members of every error response (RFC 9457 section 3.1), with the same bytes each time. */
export interface Problem {
  readonly type: `urn:gatehouse:problem:${string}`;
  readonly title: string;
  readonly status: number;
}

function problem<Status extends number>(name: string, status: Status, title: string) {
  return { type: `urn:gatehouse:problem:${name}`, title, status } as const;
}

/** Every error of version 1 of the interface. A title never depends on the request. */
export const PROBLEMS = {
  malformed_request: problem('malformed-request', 400, 'The request is malformed.'),
  malformed_body: problem('malformed-body', 400, 'The body is not what its content type says.'),
  repeated_authorization: problem(
    'repeated-authorization',
    400,
    'The request is authorized in more than one way.',
  ),
  token_required: problem('token-required', 401, 'A bearer token is required.'),
  token_not_accepted: problem('token-not-accepted', 401, 'The bearer token is not accepted.'),
  credentials_not_accepted: problem(
    'credentials-not-accepted',
    401,
    'The email and the password are not accepted.',
  ),
  insufficient_scope: problem('insufficient-scope', 403, 'The scopes of the token do not allow this.'),
  not_allowed: problem('not-allowed', 403, 'The user of the token may not do this.'),
  not_found: problem('not-found', 404, 'There is nothing here.'),
  method_not_allowed: problem('method-not-allowed', 405, 'The method is not allowed here.'),
  request_timeout: problem('request-timeout', 408, 'The request took too long to arrive.'),
  body_too_large: problem('body-too-large', 413, 'The body is larger than 16 KiB.'),
  unsupported_media_type: problem(
    'unsupported-media-type',
    415,
    'The body must be uncompressed JSON, a form or multipart form data, in UTF-8.',
  ),
  invalid_input: problem('invalid-input', 422, 'The body has fields that are not valid.'),
  invalid_query: problem('invalid-query', 422, 'The query has parameters that are not valid.'),
  too_many_attempts: problem('too-many-attempts', 429, 'Too many attempts; try again later.'),
  headers_too_large: problem('headers-too-large', 431, 'The header fields are too large.'),
  internal_error: problem('internal-error', 500, 'Something went wrong on our side.'),
  overloaded: problem('overloaded', 503, 'Too much is going on; try again shortly.'),
  unavailable: problem('unavailable', 503, 'The service is not available for the moment.'),
} satisfies Record<string, Problem>;

export type ProblemName = keyof typeof PROBLEMS;
