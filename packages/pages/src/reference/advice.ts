import type { ProblemName } from '@gatehouse/extension-kit/http';

/** The meaning of a problem to a client, and advice on what the client can do. */
export type Advice = readonly [meaning: string, action: string];

const TRY_AGAIN =
  'Wait for the number of seconds in `Retry-After`, then try again. Try a few times, and wait longer each time.';

/** Advice on each problem of version 1 of the API. */
export const ADVICE: Readonly<Record<ProblemName, Advice>> = {
  malformed_request: [
    'The request line or a header field cannot be read, or the path is not in its canonical spelling.',
    'Correct the program that builds the request. If you repeat the request unchanged, it fails again.',
  ],
  malformed_body: [
    'The body does not have the format that its `Content-Type` names: JSON, a form, or multipart form data.',
    'Send a body in the format that `Content-Type` names, in UTF-8.',
  ],
  cross_site_request: [
    'A browser sent the request for a page of another site. The server knows this from the field `Origin` or `Sec-Fetch-Site`. It changed nothing, and did not count the request as an attempt to sign in.',
    'If the page is yours, ask the operators of the server to list the origin of the page in `CORS_ORIGINS`. A program that is no browser should send neither field.',
  ],
  repeated_authorization: [
    'The request has more than one `Authorization` field, or another token in the query or in the body.',
    'Send the token once, in `Authorization`.',
  ],
  token_required: ['There is no `Authorization: Bearer` field, or no token in it.', 'Send a token.'],
  token_not_accepted: [
    'The token is not from this server, has expired, was revoked, or its user, account or signing key is no longer active. The answer does not say which of these is the reason.',
    'Get another token. Do not try again with this one.',
  ],
  service_credential_required: [
    'Only a service may send this request, and the request has no credential of one. The credential begins with `ghs_`.',
    'Send the credential as a bearer token, or in HTTP Basic with the name of the service.',
  ],
  service_credential_not_accepted: [
    'The credential is not known, has expired or was revoked, or belongs to another service than the name in HTTP Basic. The answer does not say which of these is the reason.',
    'Ask the operators of the server for another credential. Do not try again with this one.',
  ],
  credentials_not_accepted: [
    'Email and password do not belong to a user who may sign in. The answer does not say why.',
    'Ask the user for the email and the password again. Do not retry automatically: the number of failed attempts is limited.',
  ],
  insufficient_scope: [
    'The token is valid, but its scopes do not allow this operation.',
    'Use a token with the scope that the operation names.',
  ],
  network_not_allowed: [
    'The token is valid, but may be used only from networks that an admin listed, and the address of the client is in none of them.',
    'Send the request from one of these networks, or ask an admin of the account to add the network.',
  ],
  not_allowed: [
    'The scopes of the token allow the operation, but the user of the token does not have permission.',
    'Use a token of a user who has permission, such as an admin of the account.',
  ],
  not_found: [
    'There is no such resource, or it belongs to another account.',
    'Check the address. If the resource existed before, assume that it was deleted.',
  ],
  method_not_allowed: [
    'The path exists, but does not support this method.',
    'Use a method from the field `Allow` of the answer.',
  ],
  request_timeout: ['The request did not arrive in time.', 'Try again on a new connection.'],
  body_too_large: ['The body is larger than the server accepts.', 'Send a smaller body.'],
  json_too_large: ['The body is larger than the server accepts.', 'Send several smaller bodies.'],
  unsupported_media_type: [
    'The server does not support this `Content-Type` or `Content-Encoding`.',
    'Send `application/json`, uncompressed, in UTF-8.',
  ],
  invalid_input: [
    'The body has members that are not valid. The member `errors` of the answer names each of them.',
    'Correct the members that `errors` names.',
  ],
  malformed_query: [
    'The query lacks a parameter, or has one that is not valid. The member `errors` of the answer names each of them.',
    'Correct the parameters that `errors` names.',
  ],
  invalid_query: [
    'The query has parameters that are not valid. The member `errors` of the answer names each of them.',
    'Correct the parameters that `errors` names.',
  ],
  too_many_attempts: [
    'There were too many attempts to sign in from this address or for this user.',
    'Wait for the number of seconds in `Retry-After`, then try again.',
  ],
  too_many_streams: [
    'So many streams of changes are open, of all services or of this service, that the server opens no more.',
    'Keep one stream for each process, and wait for the number of seconds in `Retry-After` before the next attempt.',
  ],
  headers_too_large: [
    'The header fields are too large or too many.',
    'Send fewer header fields, for example no cookies.',
  ],
  internal_error: [
    'An error happened in the server. The server logged it with the id in `X-Request-Id`.',
    'If the request only reads, repeat it once. If it fails again, report the id to the operators of the server.',
  ],
  overloaded: [
    'So many sign-ins are waiting that the server cannot verify another password at the moment.',
    TRY_AGAIN,
  ],
  unavailable: [
    'The server cannot reach its database. What it has in memory is too old, or not enough, to answer the request safely.',
    TRY_AGAIN,
  ],
};
