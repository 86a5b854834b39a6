import type { Awaitable, Result } from '@gatehouse/domain';
import type { AccessDenied, Rule } from '@gatehouse/domain/access';
import type {
  HeaderHandling,
  ProblemOf,
  RefusalCodeOf,
  Route,
  RouteRequest,
  SuccessBody,
} from '@gatehouse/extension-kit/http';
import type { RefusalOf } from './refusal.ts';
import type { HttpRequest } from './request.ts';

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

/** A route with how it is answered. */
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
  // Only the type of a single handling says which values it takes.
  return { route, ...(handling as unknown as Omit<ServedRoute, 'route'>) };
}
