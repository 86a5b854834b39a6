import {
  outcomesOf,
  type Problem,
  type ProblemName,
  problemsOf,
  type Route,
} from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { bodySchema, type HeaderName, headers, jsonSchema } from './components.ts';

/** The responses of a route, by status. */
export function responsesOf(route: Route): Readonly<Record<string, object>> {
  const problems = problemsOf(route);
  return Object.fromEntries(
    [...outcomesOf(route)].map(([status, names]) => [
      status,
      names.length === 0 ? success(route, status) : problem(route, new Map(pick(problems, names))),
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

type Problems = ReadonlyMap<string, Problem>;

function pick(problems: Problems, names: readonly string[]) {
  return [...problems].filter(([name]) => names.includes(name));
}

/** The problems of a route with the same status. */
function problem({ rule }: Route, problems: Problems) {
  const names = [...problems.keys()];
  const some = (having: ReadonlySet<string>) => names.some((name) => having.has(name));
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
    description: [...problems.values()].map(({ title }) => title).join(' Or: '),
    headers: headers(['Cache-Control', ...further]),
    content: { 'application/problem+json': { schema: problemJson(problems) } },
  };
}

/** Problems whose responses have a challenge. */
const CHALLENGES: ReadonlySet<string> = new Set<ProblemName>([
  'repeated_authorization',
  'token_required',
  'token_not_accepted',
  'credentials_not_accepted',
  'insufficient_scope',
]);

/** Problems whose responses have `Retry-After`. */
const RETRIES: ReadonlySet<string> = new Set<ProblemName>(['too_many_attempts', 'unavailable', 'overloaded']);

/** Problems that occur before the caller is authenticated. */
const BEFORE_CALLER: ReadonlySet<string> = new Set<ProblemName>([
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

/** Most routes have the same problems, so each set of them is converted once. */
const converted = new Map<string, object>();

function problemJson(problems: Problems): object {
  const key = JSON.stringify([...problems]);
  const known = converted.get(key) ?? jsonSchema(problemSchema(problems));
  converted.set(key, known);
  return known;
}

/** The schema of an error response with one of these problems. */
function problemSchema(problems: Problems) {
  const each = [...problems.values()];
  const shape = {
    type: z.literal(each.map(({ type }) => type)),
    title: z.literal(each.map(({ title }) => title)),
    status: z.literal(each.map(({ status }) => status)),
  };
  return problems.has('invalid_input') || problems.has('invalid_query')
    ? z.strictObject({ ...shape, errors: z.array(fieldError).min(1) })
    : z.strictObject(shape);
}
