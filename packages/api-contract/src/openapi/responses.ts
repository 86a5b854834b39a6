import { outcomesOf, type ProblemName, problemsOf, type Route } from '@gatehouse/extension-kit/http';
import { bodySchema, type HeaderName, header, headers } from './components.ts';
import { anyProblemOf } from './problem-schemas.ts';

/** The responses of a route, by status. */
export function responsesOf(route: Route): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...outcomesOf(route)].map(([status, names]) => [
      status,
      names.length === 0 ? success(route, status) : problem(route, names),
    ]),
  );
}

function success({ success: described, rule }: Route, answered: number) {
  const { status, description, body, events, etag, headers: own = {} } = described;
  const names = present({ ETag: etag, 'Cache-Control': true, 'X-Token-Expires-At': rule && !rule.services });
  if (answered !== status)
    return { description: 'The caller has the current answer.', headers: headers(names) };
  const content =
    (body && { 'application/json': { schema: bodySchema(body, 'output') } }) ??
    (events && { 'text/event-stream': { schema: bodySchema(events, 'output') } });
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

/** Describes the response of a route for one status. Its body is one of these problems, which all have this status. */
function problem(route: Route, names: readonly string[]) {
  const problems = problemsOf(route);
  const some = (having: ReadonlySet<string>) => names.some((name) => having.has(name));
  const isToOwner = route.rule && !route.rule.services && names.some((name) => !BEFORE_CALLER.has(name));
  const isChallenge = names.every((name) => CHALLENGES.has(name));
  const ofAnswer = present({
    'Cache-Control': true,
    'WWW-Authenticate': isChallenge,
    PossibleChallenge: !isChallenge && some(CHALLENGES),
    'Retry-After': some(RETRIES),
    'X-Token-Expires-At': isToOwner,
  });
  return {
    description: names.map((name) => problems.get(name)?.title).join(' Or: '),
    headers: headers(ofAnswer),
    content: { 'application/problem+json': { schema: anyProblemOf(names) } },
  };
}

/** Returns the names of the headers whose value is true, in the order of the object. */
function present(names: Partial<Record<HeaderName, boolean | undefined>>): readonly HeaderName[] {
  return (Object.keys(names) as HeaderName[]).filter((name) => names[name]);
}

/** Problems whose responses say in the header field `WWW-Authenticate` how to authenticate. */
const CHALLENGES: ReadonlySet<string> = new Set<ProblemName>([
  'repeated_authorization',
  'token_required',
  'token_not_accepted',
  'service_credential_required',
  'service_credential_not_accepted',
  'credentials_not_accepted',
  'insufficient_scope',
  'network_not_allowed',
]);

/** Problems whose responses have `Retry-After`. */
const RETRIES: ReadonlySet<string> = new Set<ProblemName>([
  'too_many_attempts',
  'too_many_streams',
  'unavailable',
  'overloaded',
]);

/** Problems that occur before the caller is authenticated. */
const BEFORE_CALLER: ReadonlySet<string> = new Set<ProblemName>([
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'repeated_authorization',
  'token_required',
  'token_not_accepted',
  'service_credential_required',
  'service_credential_not_accepted',
  'internal_error',
  'unavailable',
]);
