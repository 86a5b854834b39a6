import {
  outcomesOf,
  type Problem,
  type ProblemName,
  problemsOf,
  type Route,
} from '@gatehouse/extension-kit/http';
import { bodySchema, type HeaderName, header, headers } from './components.ts';
import { anyProblemOf } from './problem-schemas.ts';

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

function success({ success: described, rule }: Route, answered: number) {
  const { status, description, body, etag, headers: own = {} } = described;
  const names: readonly HeaderName[] = [
    ...(etag ? (['ETag'] as const) : []),
    'Cache-Control',
    ...(rule === undefined ? [] : (['X-Token-Expires-At'] as const)),
  ];
  if (answered !== status)
    return { description: 'The caller has the current answer.', headers: headers(names) };
  const content = body && { 'application/json': { schema: bodySchema(body, 'output') } };
  const ofHandling = Object.entries(own).map(([name, { description, format }]) => [
    name,
    header(description, true, format ? { format } : {}),
  ]);
  return {
    description,
    headers: { ...headers(names), ...Object.fromEntries(ofHandling) },
    ...(content && { content }),
  };
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
    content: { 'application/problem+json': { schema: anyProblemOf([...problems.keys()]) } },
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
