import type { Rule } from '@gatehouse/domain/access';
import type { TokenCaller } from '@gatehouse/domain/tokens';
import type { z } from 'zod';
import type { ProblemName } from './problems.ts';

/** Schemas by the name of a parameter; each reads the parameter's text. */
export type ParameterSchemas = Readonly<Record<string, z.ZodType>>;

/** The answer of a route that succeeds. */
export interface SuccessDescription {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** Sent as JSON. None with 204. */
  readonly body?: z.ZodType;
  readonly cacheControl: string;
  /** The answer has an `ETag`, and a caller who sends it in `If-None-Match` gets 304. False by default. */
  readonly etag?: true;
}

/**
 * All that is said of a route: the router serves it, the OpenAPI document describes it, and the contract tests provoke each
 * of its outcomes by this object.
 */
export interface Route {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the parameters' names in braces: `/api/v1/orgs/{id}`. */
  readonly path: `/${string}`;
  /** The heading that the document lists it under. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What a caller's bearer token has to allow. A route without a rule is public. */
  readonly rule?: Rule;
  /** Of the path, each of those in braces. Text that a schema refuses is answered with 404. */
  readonly params?: ParameterSchemas;
  /** Of the query. Parameters without a schema are ignored. What a schema refuses is answered with 422. */
  readonly query?: ParameterSchemas;
  /** As JSON, a form or multipart form data. What the schema refuses is answered with 422. */
  readonly body?: z.ZodType;
  readonly success: SuccessDescription;
  /** Besides those that follow from the other members (see `outcomesOf`). */
  readonly problems?: readonly ProblemName[];
  /** The answer never changes while the process runs: making it cannot fail. False by default. */
  readonly constant?: true;
}

/**
 * Describes a route, keeping its exact type.
 *
 * @throws TypeError if `params` are not those of the path
 */
export function defineRoute<const R extends Route>(route: R): R {
  const inPath = pathParameters(route.path);
  const described = Object.keys(route.params ?? {});
  if (inPath.toSorted().join() !== described.toSorted().join()) {
    throw new TypeError(`${route.operationId}: ${route.path} has not the parameters ${described.join(', ')}`);
  }
  return route;
}

/** The names in braces, in their order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
}

type Parsed<Schemas> = Schemas extends ParameterSchemas
  ? { readonly [Name in keyof Schemas]: z.output<Schemas[Name]> }
  : Readonly<Record<never, never>>;

/** What the handler of a route is given, parsed by the route's schemas. */
export interface RouteRequest<R extends Route> {
  /** Whom the route's rule allows, as far as that is decided without a resource. Undefined for a public route. */
  readonly caller: R extends { readonly rule: Rule } ? TokenCaller : undefined;
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
}

/** The body of the answer of a route that succeeds, as the handler makes it. */
export type SuccessBody<R extends Route> = R['success']['body'] extends z.ZodType
  ? z.input<R['success']['body']>
  : undefined;
