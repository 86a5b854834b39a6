import { problemAnswer } from '../problem-schemas.ts';
import { PROBLEMS, type ProblemName } from '../problems.ts';
import { type HeaderName, headers, type SCHEMAS, schema } from './components.ts';
import { jsonSchema } from './json-schema.ts';

/** A JSON answer, with the headers that it has besides those of every answer. */
export function answer(description: string, body: keyof typeof SCHEMAS, ...names: readonly HeaderName[]) {
  return {
    description,
    headers: headers(...names),
    content: { 'application/json': { schema: schema(body) } },
  };
}

/** An error answer: one of the problems, which share a status. */
export function problem(names: readonly [ProblemName, ...ProblemName[]], ...further: readonly HeaderName[]) {
  return {
    description: names.map((name) => PROBLEMS[name].title).join(' Or: '),
    headers: headers('Cache-Control', ...further),
    content: { 'application/problem+json': { schema: jsonSchema(problemAnswer(...names)) } },
  };
}

/** What can happen to any request before an operation sees it. */
export const TRANSPORT_PROBLEMS = {
  400: problem(['malformed_request']),
  408: problem(['request_timeout']),
  431: problem(['headers_too_large']),
};

/** What can happen to an operation that reads the database. */
export const SERVICE_PROBLEMS = {
  500: problem(['internal_error']),
  503: problem(['unavailable'], 'Retry-After'),
};

/** What can happen to an operation that takes a bearer token. */
export const BEARER_PROBLEMS = {
  ...TRANSPORT_PROBLEMS,
  ...SERVICE_PROBLEMS,
  400: problem(['malformed_request', 'repeated_authorization'], 'PossibleChallenge'),
  401: problem(['token_required', 'token_not_accepted'], 'WWW-Authenticate'),
};
