import { outcomesOf, PROBLEMS, type ProblemName, type Route } from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { bodySchema, type HeaderName, headers, jsonSchema } from './components.ts';

/** The responses of a route, by status. */
export function responsesOf(route: Route): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...outcomesOf(route)].map(([status, [first, ...others]]) => [
      status,
      first === undefined ? success(route, status) : problem(route, [first, ...others]),
    ]),
  );
}

function success({ success: { status, description, body, etag }, rule }: Route, answered: number) {
  const names: readonly HeaderName[] = [
    ...(etag ? (['ETag'] as const) : []),
    'Cache-Control',
    ...(rule === undefined ? [] : (['X-Token-Expires-At'] as const)),
  ];
  if (answered !== status)
    return { description: 'The caller has the current answer.', headers: headers(names) };
  const content = body && { 'application/json': { schema: bodySchema(body, 'output') } };
  return { description, headers: headers(names), ...(content && { content }) };
}

/** The problems of a route with the same status. */
function problem({ rule }: Route, names: readonly [ProblemName, ...ProblemName[]]) {
  const some = (having: ReadonlySet<ProblemName>) => names.some((name) => having.has(name));
  const isToOwner = rule !== undefined && names.some((name) => !BEFORE_CALLER.has(name));
  const further: readonly HeaderName[] = [
    ...(names.every((name) => CHALLENGES.has(name))
      ? (['WWW-Authenticate'] as const)
      : some(CHALLENGES)
        ? (['PossibleChallenge'] as const)
        : []),
    ...(some(RETRIES) ? (['Retry-After'] as const) : []),
    ...(isToOwner ? (['X-Token-Expires-At'] as const) : []),
  ];
  return {
    description: names.map((name) => PROBLEMS[name].title).join(' Or: '),
    headers: headers(['Cache-Control', ...further]),
    content: { 'application/problem+json': { schema: jsonSchema(problemSchema(...names)) } },
  };
}

/** Problems whose responses have a challenge. */
const CHALLENGES: ReadonlySet<ProblemName> = new Set([
  'repeated_authorization',
  'token_required',
  'token_not_accepted',
  'credentials_not_accepted',
  'insufficient_scope',
]);

/** Problems whose responses have `Retry-After`. */
const RETRIES: ReadonlySet<ProblemName> = new Set(['too_many_attempts', 'unavailable', 'overloaded']);

/** Problems that occur before the caller is authenticated. */
const BEFORE_CALLER: ReadonlySet<ProblemName> = new Set([
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'repeated_authorization',
  'token_required',
  'token_not_accepted',
  'internal_error',
  'unavailable',
]);

/** One invalid field of the body or parameter of the query. */
const fieldError = z.strictObject({ field: z.string(), message: z.string() });

export type FieldError = z.infer<typeof fieldError>;

/** The schema of an error response with one of these problems. */
function problemSchema(...names: readonly [ProblemName, ...ProblemName[]]) {
  const problems = names.map((name) => PROBLEMS[name]);
  const shape = {
    type: z.literal(problems.map(({ type }) => type)),
    title: z.literal(problems.map(({ title }) => title)),
    status: z.literal(problems.map(({ status }) => status)),
  };
  return names.some((name) => name === 'invalid_input' || name === 'invalid_query')
    ? z.strictObject({ ...shape, errors: z.array(fieldError).min(1) })
    : z.strictObject(shape);
}
