import { type Awaitable, andThen, err, ok, type Result } from '@gatehouse/domain';
import { type AccessDenied, authorize, type Rule } from '@gatehouse/domain/access';
import {
  type HeaderHandling,
  type ProblemOf,
  problemOf,
  type RefusalCodeOf,
  type Route,
  type RouteRequest,
  type SuccessBody,
} from '@gatehouse/extension-kit/http';
import type { H3Event } from 'h3';
import type { Authenticated, BearerCaller } from '../authentication.ts';
import type { Answer } from './answer.ts';
import { parseBody } from './body-parser.ts';
import { invalidFields, PROBLEM_ANSWERS, problem } from './problem.ts';
import { createQueryParser, decodePercent } from './query.ts';
import { type Refusal, type RefusalOf, refusal } from './refusal.ts';
import { nodeRequest } from './request.ts';
import type { Endpoint, Handler } from './routed-app.ts';
import { createAnswerSuccess, type Making } from './success.ts';

/** The errors that a route can tell of by its problems. */
type ErrorOf<R extends Route> =
  | RefusalOf<ProblemOf<R>>
  | (R extends { readonly rule: Rule } ? AccessDenied : never)
  | { readonly code: RefusalCodeOf<R> };

type Outcome<R extends Route, Value> = Result<Value, ErrorOf<R>>;

/** How a route is answered: by a use case, whose result becomes the body. */
interface RouteHandling<R extends Route, Value> {
  handle(request: RouteRequest<R>, event: H3Event): Awaitable<Outcome<R, Value>>;
  toBody(value: Value): SuccessBody<R>;
}

/** A route with what answers it. */
export interface ServedRoute<R extends Route = Route> {
  readonly route: R;
  readonly answer: (caller: BearerCaller | undefined, event: H3Event) => Awaitable<Result<Answer, Refusal>>;
}

/**
 * Serves a route. Its rule is decided before anything is parsed: a caller who is not known, or whose token has not the
 * scope, learns nothing from a parameter that is wrong.
 */
export function serveRoute<const R extends Route, Value>(
  route: R,
  handling: RouteHandling<R, Value> & HeaderHandling<R, Value>,
): ServedRoute<R> {
  const { rule, body: schema } = route;
  const parseParameters = createParametersParser(route);
  // Which type the headers have is known of each route alone.
  const answerSuccess = createAnswerSuccess(route, handling as Making<Value>);
  const ownRefusals = new Map(
    route.refusals?.map(({ code, status, title }) => [code, problem(problemOf(code, status, title))]),
  );

  function answerTo(result: Outcome<R, Value>, event: H3Event): Result<Answer, Refusal> {
    if (result.ok) return ok(answerSuccess(event, result.value));
    const refused = ownRefusals.get(result.error.code);
    // What is no refusal of the route's own is one of those that `Refusal` lists.
    return refused ? ok(refused) : (result as Result<never, Refusal>);
  }

  return {
    route,
    answer(caller, event) {
      if (rule) {
        // Routes with a rule are served by `authenticated`, which always has a caller.
        const allowed = authorize(caller as BearerCaller, rule);
        if (!allowed.ok) return allowed;
      }
      const parameters = parseParameters(event);
      if (!parameters.ok) return ok(parameters.error);
      const { params, query } = parameters.value;
      return andThen(schema ? parseBody(event, schema) : NO_BODY, (body) => {
        if (!body.ok) return ok(body.error);
        const request = { caller, params, query, body: body.value } as RouteRequest<R>;
        return andThen(handling.handle(request, event), (result) => answerTo(result, event));
      });
    },
  };
}

/**
 * Endpoints by path, as the framework writes paths.
 *
 * @throws TypeError if two routes have the same path and method, or the same name
 */
export function endpointsOf(
  served: readonly ServedRoute[],
  authenticated: Authenticated,
): Readonly<Record<string, Endpoint>> {
  const endpoints: Record<string, Partial<Record<Route['method'], Handler>>> = {};
  const names = new Set<string>();
  for (const { route, answer } of served) {
    const path = route.path.replace(/\{([^}]+)\}/g, ':$1');
    const inPublic: Handler = (event) =>
      andThen(answer(undefined, event), (outcome) => (outcome.ok ? outcome.value : refusal(outcome.error)));
    const handler = route.rule ? authenticated(answer) : inPublic;
    if (names.has(route.operationId) || endpoints[path]?.[route.method]) {
      throw new TypeError(`${route.operationId}: ${route.method} ${route.path} is served already`);
    }
    names.add(route.operationId);
    endpoints[path] = { ...endpoints[path], [route.method]: handler };
  }
  return endpoints;
}

const NONE = {};
const NO_BODY = ok(undefined);

/** Parses what stands in the target, or makes the answer to what cannot be parsed. */
function createParametersParser({ params = NONE, query }: Route) {
  const inPath = Object.entries(params);
  const parseQuery = query ? createQueryParser(query) : () => ok(NONE);
  return (event: H3Event): Result<{ readonly params: object; readonly query: object }, Answer> => {
    const values: Record<string, unknown> = {};
    for (const [name, schema] of inPath) {
      const parsed = schema.safeParse(decoded(event.context.params?.[name] ?? ''));
      if (!parsed.success) return err(PROBLEM_ANSWERS.not_found);
      values[name] = parsed.data;
    }
    const inQuery = parseQuery(nodeRequest(event));
    return inQuery.ok
      ? ok({ params: values, query: inQuery.value })
      : err(invalidFields('invalid_query', inQuery.error));
  };
}

/** Percent-encodings that are no UTF-8 stay as they are: the framework has refused them already. */
function decoded(text: string): string {
  return text.includes('%') ? (decodePercent(text) ?? text) : text;
}
