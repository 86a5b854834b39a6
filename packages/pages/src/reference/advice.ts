import type { ProblemName } from '@gatehouse/extension-kit/http';

/** The meaning of a problem to a client, and the advice what to do. */
export type Advice = readonly [meaning: string, action: string];

const TRY_AGAIN = 'Try again after the seconds in `Retry-After`, a few times, and longer each time.';

/** Advice on each problem of version 1 of the API. */
export const ADVICE: Readonly<Record<ProblemName, Advice>> = {
  malformed_request: [
    'The request line or a header field cannot be read, or the path is not in its canonical spelling.',
    'Correct the program that builds the request; the same request fails again.',
  ],
  malformed_body: [
    'The body is no JSON, form or multipart form data, although its `Content-Type` says so.',
    'Send what the `Content-Type` says, in UTF-8.',
  ],
  cross_site_request: [
    'A browser sent the request for a page of another site: its `Origin` is neither the server’s own nor in `CORS_ORIGINS`, or `Sec-Fetch-Site` says so. Nothing was done, and nothing is counted.',
    'If the page is yours, ask those who run the server to list its origin in `CORS_ORIGINS`. Programs send neither field.',
  ],
  repeated_authorization: [
    'There is more than one `Authorization` field, or also a token in the query or body.',
    'Send the token once, in `Authorization`.',
  ],
  token_required: ['There is no `Authorization: Bearer` field, or no token in it.', 'Send a token.'],
  token_not_accepted: [
    'The token is not from this server, has expired, was revoked, or its user, account or signing key is no longer active. The answer does not say which.',
    'Get another token. Do not try again with this one.',
  ],
  credentials_not_accepted: [
    'Email and password do not belong to a user who may sign in. The answer does not say why.',
    'Ask the user again. Do not retry automatically: failures are counted.',
  ],
  insufficient_scope: [
    'The token is valid, but its scopes do not allow this operation.',
    'Use a token with the scope that the operation names.',
  ],
  not_allowed: [
    'The token allows the operation, but its user may not do this.',
    'Use a token of a user who may, such as an admin of the account.',
  ],
  not_found: [
    'There is no such resource, or it belongs to another account.',
    'Check the address. If the resource existed before, assume that it was deleted.',
  ],
  method_not_allowed: ['The path exists, but does not have this method.', 'Use a method that `Allow` names.'],
  request_timeout: ['The request did not arrive in time.', 'Try again on a new connection.'],
  body_too_large: ['The body is larger than an operation takes.', 'Send less.'],
  unsupported_media_type: [
    'The server does not read this `Content-Type` or `Content-Encoding`.',
    'Send `application/json`, uncompressed, in UTF-8.',
  ],
  invalid_input: [
    'The body can be read, and has members that are not valid. `errors` names each of them.',
    'Correct the members that `errors` names.',
  ],
  invalid_query: [
    'The query has parameters that are not valid. `errors` names each of them.',
    'Correct the parameters that `errors` names.',
  ],
  too_many_attempts: [
    'There were too many attempts to sign in from this address or for this user.',
    'Wait for the seconds in `Retry-After`.',
  ],
  headers_too_large: [
    'The header fields are too large or too many.',
    'Send fewer header fields, for example no cookies.',
  ],
  internal_error: [
    'The server failed. It was logged with the id in `X-Request-Id`.',
    'Repeat a request once if it only reads. If it fails again, report the id to those who run the server.',
  ],
  overloaded: ['More sign-ins are waiting than the server can hash.', TRY_AGAIN],
  unavailable: ['The server cannot reach its database, and cannot answer from memory safely.', TRY_AGAIN],
};
