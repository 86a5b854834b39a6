import type { InvalidInput, Result } from '@gatehouse/domain';
import type { AccessDenied, Rule } from '@gatehouse/domain/access';
import type { z } from 'zod';
import type { RefusalCodeOf } from './outcomes.ts';
import type { HeaderHandling, Route, RouteRequest, SuccessBody } from './route.ts';

/**
 * The errors that a route's use case can return: those that the rule and the body of the route can cause, and the
 * refusals that the route names.
 */
export type RouteError<R extends Route> =
  | (R extends { readonly rule: Rule } ? AccessDenied : never)
  | (R['body'] extends z.ZodType ? InvalidInput : never)
  | { readonly code: RefusalCodeOf<R> };

type Outcome<R extends Route, Value> = Result<Value, RouteError<R>>;

/** The functions that answer a route: a use case handles the request, and its result becomes the body. */
export interface RouteHandling<R extends Route, Value> {
  handle(request: RouteRequest<R>): Outcome<R, Value> | Promise<Outcome<R, Value>>;
  toBody(value: Value): SuccessBody<R>;
}

/** A route with the functions that answer it. */
export interface HandledRoute<R extends Route = Route, Value = unknown> extends RouteHandling<R, Value> {
  readonly route: R;
  /** Returns the values of the header fields that the route describes. */
  toHeaders?(value: Value): Readonly<Record<string, string>>;
}

/** Defines how a route is answered. An error or a header field that the route does not describe does not compile. */
export function handleRoute<const R extends Route, Value>(
  route: R & { readonly success: { readonly events?: never } },
  handling: RouteHandling<R, Value> & HeaderHandling<R, Value>,
): HandledRoute<R, Value> {
  return { route, ...handling };
}
