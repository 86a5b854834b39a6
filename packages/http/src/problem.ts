import { PROBLEMS, type Problem, type ProblemName } from '@gatehouse/extension-kit/http';
import type { z } from 'zod';
import type { Answer, Header } from './answer.ts';

const PROBLEM_TYPE: Header = ['content-type', 'application/problem+json'];
/** An error must not be cached, because the next request may succeed. */
const NO_STORE: Header = ['cache-control', 'no-store'];
/** The header that tells clients when to try again after a failure of the server. */
const RETRY_SOON: Header = ['retry-after', '1'];

/** The challenge of the Bearer scheme (RFC 6750 section 3); `error` is empty if the request had no credentials. */
export function challenge(error = ''): Header {
  return ['www-authenticate', `Bearer realm="gatehouse"${error && `, error=${error}`}`];
}

/** The challenge of the Basic scheme (RFC 7617 section 2), which services may use. */
const BASIC = 'Basic realm="gatehouse", charset="UTF-8"';

const HEADERS: Readonly<Partial<Record<ProblemName, Header>>> = {
  repeated_authorization: challenge('"invalid_request"'),
  token_required: challenge(),
  token_not_accepted: challenge('"invalid_token"'),
  service_credential_required: withBasic(challenge()),
  service_credential_not_accepted: withBasic(challenge('"invalid_token"')),
  // Each 401 needs a challenge (RFC 9110 section 15.5.2), also the answer to a failed sign-in. Bearer is the only
  // scheme that the server supports.
  credentials_not_accepted: challenge(),
  // Another token may be allowed from there (RFC 9110 section 11.6.1). The error is not one of RFC 6750.
  network_not_allowed: challenge('"network_not_allowed"'),
  too_many_streams: RETRY_SOON,
  overloaded: RETRY_SOON,
  unavailable: RETRY_SOON,
};

/**
 * The answer for each problem. All answers are made once at the start, so that a refusal takes no more time than a
 * success.
 */
export const PROBLEM_ANSWERS = Object.fromEntries(
  Object.entries(PROBLEMS).map(([name, body]) => {
    const header = HEADERS[name as ProblemName];
    return [name, problem(body, ...(header ? [header] : []))];
  }),
) as Readonly<Record<ProblemName, Answer>>;

/** The answers of routes for services. They speak of a credential, and their challenges also offer the Basic scheme. */
export const PROBLEM_ANSWERS_FOR_SERVICES: typeof PROBLEM_ANSWERS = {
  ...PROBLEM_ANSWERS,
  token_required: PROBLEM_ANSWERS.service_credential_required,
  token_not_accepted: PROBLEM_ANSWERS.service_credential_not_accepted,
};

/** Adds the Basic scheme to a challenge. One field may have several challenges (RFC 9110 section 11.6.1). */
function withBasic([name, bearer]: Header): Header {
  return [name, `${bearer}, ${BASIC}`];
}

/** An invalid field of a body, or an invalid parameter of a query. `field` is its path, and `message` the reason. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Returns the answer to a request with invalid fields, which lists all of them. */
export function invalidFields(
  name: 'invalid_input' | 'invalid_query' | 'malformed_query',
  errors: readonly FieldError[],
) {
  const body = { ...PROBLEMS[name], errors };
  return problem(body);
}

/** An answer lists at most so many invalid fields. A list of a thousand would cost more than the request did. */
const MAX_ERRORS = 20;

/** Returns the first invalid fields that a schema found. An error of the whole input gets the field name `whole`. */
export function fieldErrors({ issues }: z.ZodError, whole: string): readonly FieldError[] {
  return issues
    .slice(0, MAX_ERRORS)
    .map(({ path, message }) => ({ field: path.join('.') || whole, message }));
}

/**
 * Returns the answer for a problem that is not in `PROBLEM_ANSWERS`, such as a problem of the operations listener or of
 * an extension.
 */
export function problem(body: Problem, ...headers: readonly Header[]): Answer {
  return { status: body.status, headers: [PROBLEM_TYPE, NO_STORE, ...headers], body: JSON.stringify(body) };
}
