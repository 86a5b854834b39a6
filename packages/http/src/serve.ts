import { type Awaitable, andThen, type Result } from '@gatehouse/domain';
import { type AccessDenied, authorize, type Rule } from '@gatehouse/domain/access';
import { formatInstant } from '@gatehouse/domain/time';
import type { AuthenticateToken } from '@gatehouse/domain/tokens';
import {
  type HeaderHandling,
  type ProblemOf,
  problemOf,
  type RefusalCodeOf,
  type Route,
  type RouteRequest,
  type SuccessBody,
} from '@gatehouse/extension-kit/http';
import { type Answer, withHeader } from './answer.ts';
import { createIdentify, NO_TOKEN } from './identify.ts';
import { createParse } from './parse-request.ts';
import { PROBLEM_ANSWERS, problem } from './problem.ts';
import { createRefuse, type Refusal, type RefusalOf, type RefusePorts } from './refusal.ts';
import type { BearerCaller, HttpRequest } from './request.ts';
import type { Endpoints, Handler } from './request-handler.ts';
import { createSucceed } from './success.ts';

export interface ServePorts extends RefusePorts {
  readonly authenticateToken: AuthenticateToken;
}

/**
 * Serves a route in five steps: identify the caller, check the route's rule, parse the input, call the use case, answer. The
 * rule is checked before anything is parsed, so a caller without a token, or without the scope, gets no message about a
 * wrong parameter.
 */
export function serve(ports: ServePorts, served: ServedRoute): Handler {
  const { route } = served;
  const identify = route.rule ? createIdentify(ports.authenticateToken) : noCaller;
  const parse = createParse(route);
  const succeed = createSucceed(route, served);
  const refuse = createRefuse(ports);
  const ownRefusals = ownRefusalsOf(route);

  return (request) =>
    andThen(identify(request), (caller) => {
      if (caller === 'repeated') return PROBLEM_ANSWERS.repeated_authorization;
      request.caller = caller;
      return andThen(answerTo(caller, request), (answer) => withExpiry(caller, answer));
    });

  function answerTo(caller: BearerCaller | undefined, request: HttpRequest): Awaitable<Answer> {
    const denied = deny(route, caller);
    if (denied) return refuse(request, denied);
    return andThen(parse(request), (input) => {
      if (!input.ok) return input.error;
      const { params, query, body } = input.value;
      return andThen(served.handle({ caller, params, query, body }, request), (result) => {
        if (result.ok) return succeed(request, result.value);
        // An error that the route does not describe itself is one of Gatehouse's.
        return ownRefusals.get(result.error.code) ?? refuse(request, result.error as Refusal);
      });
    });
  }
}

/** The caller of a route without a rule. */
const noCaller = () => undefined;

/**
 * Checks the rule for the caller, without the resource. This check can only refuse. The use case, which knows the resource,
 * checks again and decides.
 */
function deny({ rule }: Route, caller: BearerCaller | undefined) {
  if (!rule) return undefined;
  const allowed = authorize(caller ?? NO_TOKEN, rule);
  return allowed.ok ? undefined : allowed.error;
}

/** Adds the token's expiry, if it has one, to every answer. */
function withExpiry(caller: BearerCaller | undefined, answer: Answer): Answer {
  if (caller?.kind !== 'user' || caller.token.expiresAt === null) return answer;
  return withHeader(answer, ['x-token-expires-at', formatInstant(caller.token.expiresAt)]);
}

/** The answers that extensions describe for refusals of their own, by their codes. */
function ownRefusalsOf({ refusals = [] }: Route): ReadonlyMap<string, Answer> {
  return new Map(refusals.map(({ code, status, title }) => [code, problem(problemOf(code, status, title))]));
}

/**
 * The endpoints of these routes, by path.
 *
 * @throws TypeError if two routes have the same path and method, or the same name
 */
export function endpointsOf(ports: ServePorts, routes: readonly ServedRoute[]): Endpoints {
  const endpoints: Record<string, Partial<Record<Route['method'], Handler>>> = {};
  const names = new Set<string>();
  for (const served of routes) {
    const { operationId, method, path: written } = served.route;
    const path = written.replace(/\{([^}]+)\}/g, ':$1');
    if (names.has(operationId) || endpoints[path]?.[method])
      throw new TypeError(`${operationId}: ${method} ${written} is served already`);
    names.add(operationId);
    endpoints[path] = { ...endpoints[path], [method]: serve(ports, served) };
  }
  return endpoints;
}

/** The errors that the problems of a route can express. */
type ErrorOf<R extends Route> =
  | RefusalOf<ProblemOf<R>>
  | (R extends { readonly rule: Rule } ? AccessDenied : never)
  | { readonly code: RefusalCodeOf<R> };

/** How a route is answered: by a use case, whose result becomes the body. */
interface RouteHandling<R extends Route, Value> {
  handle(asked: RouteRequest<R>, request: HttpRequest): Awaitable<Result<Value, ErrorOf<R>>>;
  toBody(value: Value): SuccessBody<R>;
}

/** A route with the functions that answer it. */
export interface ServedRoute<R extends Route = Route> {
  readonly route: R;
  handle(asked: object, request: HttpRequest): Awaitable<Result<unknown, { readonly code: string }>>;
  toBody(value: unknown): unknown;
  toHeaders?(value: unknown): Readonly<Record<string, string>>;
}

/** Defines how a route is answered. An error or a header field that the route does not describe does not compile. */
export function serveRoute<const R extends Route, Value>(
  route: R,
  handling: RouteHandling<R, Value> & HeaderHandling<R, Value>,
): ServedRoute<R> {
  // The type is changed, because only the type of a single handling contains the type of its values.
  return { route, ...(handling as unknown as Omit<ServedRoute, 'route'>) };
}
