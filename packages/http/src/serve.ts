import { type Awaitable, andThen, type Result } from '@gatehouse/domain';
import { type AccessDenied, authorize, type Rule } from '@gatehouse/domain/access';
import type { AuthenticateService } from '@gatehouse/domain/services';
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
import { createIdentifyService } from './identify-service.ts';
import { createParse } from './parse-request.ts';
import { PROBLEM_ANSWERS, PROBLEM_ANSWERS_FOR_SERVICES, problem } from './problem.ts';
import { createRefuse, type Refusal, type RefusalOf, type RefusePorts } from './refusal.ts';
import { type HttpRequest, LARGE_BODY_LIMIT, type RequestCaller } from './request.ts';
import type { Endpoints, Handler } from './request-handler.ts';
import { createSucceed } from './success.ts';
import type { WriteText } from './text-stream.ts';

export interface ServePorts extends RefusePorts {
  readonly authenticateToken: AuthenticateToken;
  /**
   * Authenticates tokens without recording that they are used. For routes whose rule has the scope `asked`: their use
   * case records the use.
   */
  readonly authenticateUnrecorded: AuthenticateToken;
  readonly authenticateService: AuthenticateService;
}

/**
 * Creates the handler of a route. It works in five steps: identify the caller, check the route's rule, parse the input,
 * call the use case, answer. The rule is checked before the input is parsed. So a caller without a token or without the
 * required scope gets no message about its input.
 */
export function serve(ports: ServePorts, served: ServedRoute): Handler {
  const { route } = served;
  const identify = identifyFor(route, ports);
  const parse = createParse(route);
  const succeed = createSucceed(route, served);
  const refuse = createRefuse(ports, route.rule?.services ? PROBLEM_ANSWERS_FOR_SERVICES : PROBLEM_ANSWERS);
  const ownRefusals = ownRefusalsOf(route);

  return (request) =>
    andThen(identify(request), (caller) => {
      if (caller === 'repeated') return PROBLEM_ANSWERS.repeated_authorization;
      request.caller = caller;
      // Only now, because the form of a caller that is not identified may have been read to look for a second token.
      if (route.isLargeJson) request.bodyLimit = LARGE_BODY_LIMIT;
      return andThen(answerTo(caller, request), (answer) => withExpiry(caller, answer));
    });

  function answerTo(caller: RequestCaller | undefined, request: HttpRequest): Awaitable<Answer> {
    const denied = deny(route, caller);
    if (denied) return refuse(request, denied);
    return andThen(parse(request), (input) => {
      if (!input.ok) return input.error;
      const { params, query, body } = input.value;
      return andThen(served.handle({ caller, params, query, body }, request), (result) => {
        if (result.ok) return succeed(request, result.value);
        // If the route does not describe the error itself, the error is one of the errors of Gatehouse's use cases.
        return ownRefusals.get(result.error.code) ?? refuse(request, result.error as Refusal);
      });
    });
  }
}

/** Returns the function that finds the caller of a route. The caller of a route without a rule is not identified. */
function identifyFor({ rule, body }: Route, ports: ServePorts) {
  if (!rule) return () => undefined;
  if (rule.services) return createIdentifyService(ports.authenticateService, body !== undefined);
  return createIdentify(rule.scope === 'asked' ? ports.authenticateUnrecorded : ports.authenticateToken);
}

/**
 * Checks whether the rule of a route refuses the caller for every resource. If it does not, the use case checks the
 * rule again with the requested resource.
 */
function deny({ rule }: Route, caller: RequestCaller | undefined) {
  if (!rule) return undefined;
  const allowed = authorize(caller ?? NO_TOKEN, rule);
  return allowed.ok ? undefined : allowed.error;
}

/**
 * Adds the expiry of the caller's token to an answer, also to a refusal. Changes nothing if the token never expires.
 */
function withExpiry(caller: RequestCaller | undefined, answer: Answer): Answer {
  if (caller?.kind !== 'user' || caller.token.expiresAt === null) return answer;
  return withHeader(answer, ['x-token-expires-at', formatInstant(caller.token.expiresAt)]);
}

/** Returns the answers that the route of an extension describes for its own refusals, by the code of the refusal. */
function ownRefusalsOf({ refusals = [] }: Route): ReadonlyMap<string, Answer> {
  return new Map(refusals.map(({ code, status, title }) => [code, problem(problemOf(code, status, title))]));
}

/**
 * Returns the endpoints of these routes by path.
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

/** The errors that a use case may return to a route, because the route's problems, rule or refusals describe them. */
type ErrorOf<R extends Route> =
  | RefusalOf<ProblemOf<R>>
  | (R extends { readonly rule: Rule } ? AccessDenied : never)
  | { readonly code: RefusalCodeOf<R> };

/** The functions that answer a route: `handle` calls a use case, and `toBody` turns its result into the body. */
interface RouteHandling<R extends Route, Value> {
  handle(asked: RouteRequest<R>, request: HttpRequest): Awaitable<Result<Value, ErrorOf<R>>>;
  toBody(value: Value): SuccessBody<R>;
}

/** A route that describes events must have `toEvents`, which writes them. Any other route must not have it. */
type EventsHandling<R extends Route, Value> = R['success'] extends { readonly events: unknown }
  ? { toEvents(value: Value): WriteText }
  : { readonly toEvents?: never };

/** A route with the functions that answer it. */
export interface ServedRoute<R extends Route = Route> {
  readonly route: R;
  handle(asked: object, request: HttpRequest): Awaitable<Result<unknown, { readonly code: string }>>;
  toBody(value: unknown): unknown;
  toHeaders?(value: unknown): Readonly<Record<string, string>>;
  toEvents?(value: unknown): WriteText;
}

/**
 * Defines how a route is answered. Returning an error or a header that the route does not describe does not compile.
 */
export function serveRoute<const R extends Route, Value>(
  route: R,
  handling: RouteHandling<R, Value> & HeaderHandling<R, Value> & EventsHandling<R, Value>,
): ServedRoute<R> {
  // The cast hides the type of the values, because a list of served routes has values of different types.
  return { route, ...(handling as unknown as Omit<ServedRoute, 'route'>) };
}
