import type { ProblemName } from '@gatehouse/extension-kit/http';

/** The meaning of a problem for a client, and what to do about it. */
export interface Advice {
  readonly meaning: string;
  readonly action: string;
}

const TRY_AGAIN = 'Try again after the seconds in `Retry-After`, a few times, and longer each time.';

/** Advice on each problem of version 1. */
export const ADVICE: Readonly<Record<ProblemName, Advice>> = {
  malformed_request: {
    meaning:
      'The request line or a header field cannot be read, or the path is not in its canonical spelling.',
    action: 'Correct the program that builds the request; the same request fails again.',
  },
  malformed_body: {
    meaning: 'The body is no JSON, form or multipart form data, although its `Content-Type` says so.',
    action: 'Send what the `Content-Type` says, in UTF-8.',
  },
  cross_site_request: {
    meaning:
      'A browser sent the request for a page of another site: its `Origin` is neither the server’s own nor in `CORS_ORIGINS`, or `Sec-Fetch-Site` says so. Nothing was done, and nothing is counted.',
    action:
      'If the page is yours, ask those who run the server to list its origin in `CORS_ORIGINS`. Programs send neither field.',
  },
  repeated_authorization: {
    meaning: 'There is more than one `Authorization` field, or also a token in the query or body.',
    action: 'Send the token once, in `Authorization`.',
  },
  token_required: {
    meaning: 'There is no `Authorization: Bearer` field, or no token in it.',
    action: 'Send a token.',
  },
  token_not_accepted: {
    meaning:
      'The token is not from this server, has expired, was revoked, or its user, account or signing key is no longer active. The answer does not say which.',
    action: 'Get another token. Do not try again with this one.',
  },
  credentials_not_accepted: {
    meaning: 'Email and password do not belong to a user who may sign in. The answer does not say why.',
    action: 'Ask the user again. Do not retry automatically: failures are counted.',
  },
  insufficient_scope: {
    meaning: 'The token is valid, but its scopes do not allow this operation.',
    action: 'Use a token with the scope that the operation names.',
  },
  not_allowed: {
    meaning: 'The token allows the operation, but its user may not do this.',
    action: 'Use a token of a user who may, such as an admin of the account.',
  },
  not_found: {
    meaning: 'There is no such resource, or it belongs to another account.',
    action: 'Check the address. If the resource existed before, assume that it was deleted.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but does not have this method.',
    action: 'Use a method that `Allow` names.',
  },
  request_timeout: {
    meaning: 'The request did not arrive in time.',
    action: 'Try again on a new connection.',
  },
  body_too_large: {
    meaning: 'The body is larger than an operation takes.',
    action: 'Send less.',
  },
  unsupported_media_type: {
    meaning: 'The server does not read this `Content-Type` or `Content-Encoding`.',
    action: 'Send `application/json`, uncompressed, in UTF-8.',
  },
  invalid_input: {
    meaning: 'The body can be read, and has members that are not valid. `errors` names each of them.',
    action: 'Correct the members that `errors` names.',
  },
  invalid_query: {
    meaning: 'The query has parameters that are not valid. `errors` names each of them.',
    action: 'Correct the parameters that `errors` names.',
  },
  too_many_attempts: {
    meaning: 'There were too many attempts to sign in from this address or for this user.',
    action: 'Wait for the seconds in `Retry-After`.',
  },
  headers_too_large: {
    meaning: 'The header fields are too large or too many.',
    action: 'Send fewer header fields, for example no cookies.',
  },
  internal_error: {
    meaning: 'The server failed. It was logged with the id in `X-Request-Id`.',
    action:
      'Repeat a request once if it only reads. If it fails again, report the id to those who run the server.',
  },
  overloaded: {
    meaning: 'More sign-ins are waiting than the server can hash.',
    action: TRY_AGAIN,
  },
  unavailable: {
    meaning: 'The server cannot reach its database, and cannot answer from memory safely.',
    action: TRY_AGAIN,
  },
};
