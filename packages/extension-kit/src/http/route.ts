import type { Rule, ServiceCaller, ServiceRule } from '@gatehouse/domain/access';
import type { TokenCaller } from '@gatehouse/domain/tokens';
import type { z } from 'zod';
import type { Refusal } from '../refusals.ts';
import type { ProblemName } from './problems.ts';

/** Schemas by parameter name; each parses the parameter's text. */
export type ParameterSchemas = Readonly<Record<string, z.ZodType>>;

/** A header field of a successful response, which is always sent. */
export interface HeaderDescription {
  readonly description: string;
  /** The format of the header's value in the OpenAPI document. Default: any text. */
  readonly format?: 'date-time' | 'uri-reference';
}

/** The successful response of a route. */
interface SuccessDescription {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** The body, which is sent as JSON. A 204 has none. */
  readonly body?: z.ZodType;
  /**
   * The data of each server-sent event, in place of a body. Only built-in routes have events; `handleRoute` does not
   * accept them.
   */
  readonly events?: z.ZodType;
  readonly cacheControl: string;
  /** Header fields by their names, such as `Location`. `toHeaders` of the handled route makes their values. Default: none. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /**
   * Adds an `ETag` to the response. If `If-None-Match` of a request contains the same `ETag`, the response is 304.
   * Default: false.
   */
  readonly etag?: true;
}

interface WithRule {
  /**
   * The rule that the caller's bearer token has to satisfy. If the rule allows services, the caller is a service, which
   * sends its credential in place of a token.
   */
  readonly rule: Rule;
  readonly public?: never;
}

interface WithoutRule {
  /** Declares that any client that reaches the server may call the route without a token. */
  readonly public: true;
  readonly rule?: never;
}

interface RouteParts {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with parameter names in braces, such as `/api/v1/orgs/{id}`. */
  readonly path: `/${string}`;
  /** The heading in the document. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Schemas of the path's parameters. The response to invalid text is 404. */
  readonly params?: ParameterSchemas;
  /** Schemas of the query's parameters; others are ignored. The response to invalid text is 422. */
  readonly query?: ParameterSchemas;
  /**
   * The problem of an invalid query: `malformed_query` (400) for standards that require this status. Default:
   * `invalid_query` (422).
   */
  readonly queryProblem?: 'malformed_query';
  /** The schema of the body, in JSON, a form or multipart form data. The response to an invalid body is 422. */
  readonly body?: z.ZodType;
  /**
   * Documents the body as a form only (`application/x-www-form-urlencoded`), as standards describe their requests. The
   * server accepts the other formats as well. A form with a repeated field is malformed (RFC 6749 section 3.2). Default:
   * the document lists all formats, and the last value of a repeated field counts.
   */
  readonly isForm?: true;
  /**
   * Allows a body of up to 256 KiB, and documents it as JSON only. For routes with a rule, because the body is read into
   * memory. Default: a body has at most 16 KiB.
   */
  readonly isLargeJson?: true;
  readonly success: SuccessDescription;
  /** Problems that do not follow from the other properties of the route (see `problemsOf`). */
  readonly problems?: readonly ProblemName[];
  /**
   * The expected errors of the extension that the route's use case can return, such as for a resource in the wrong
   * state.
   */
  readonly refusals?: readonly Refusal[];
  /** The response never changes while the process runs, and creating it cannot fail. Default: false. */
  readonly constant?: true;
}

/**
 * The description of a route. The router serves it, the OpenAPI document describes it, and the contract tests provoke
 * each of its outcomes.
 */
export type Route = RouteParts & (WithRule | WithoutRule);

/**
 * Describes a route, keeping its exact type.
 *
 * @throws TypeError if `params` differ from the parameters of the path, if only the server may send a described header
 *   field, or if the route has a rule and is public
 */
export function defineRoute<const R extends Route>(route: R): R {
  const inPath = pathParameters(route.path);
  const described = Object.keys(route.params ?? {});
  if (inPath.toSorted().join() !== described.toSorted().join()) {
    throw new TypeError(
      `${route.operationId}: ${route.path} does not have the parameters ${described.join(', ')}`,
    );
  }
  checkAccess(route);
  checkHeaders(route);
  return route;
}

/** Checks the rule of a route at run time, because an extension in JavaScript is not checked by a compiler. */
function checkAccess({
  operationId,
  rule,
  public: isPublic,
}: RouteParts & { rule?: Rule; public?: unknown }): void {
  if (isPublic === undefined) return;
  if (isPublic !== true)
    throw new TypeError(`${operationId}: public must be true, or left out if the route has a rule`);
  if (rule !== undefined) throw new TypeError(`${operationId} has a rule, and cannot be public`);
}

/**
 * Header fields that the server itself sends, or that decide how a client reads a response. A route cannot describe
 * these.
 */
const HEADERS_OF_SERVER =
  /^(?:access-control-.*|cache-control|connection|content-(?:encoding|length|type)|date|etag|keep-alive|retry-after|set-cookie|transfer-encoding|vary|www-authenticate|x-content-type-options|x-request-id)$/i;

function checkHeaders({ operationId, rule, success }: Route): void {
  for (const name of Object.keys(success.headers ?? {})) {
    const isServers = HEADERS_OF_SERVER.test(name) || (rule && name.toLowerCase() === 'x-token-expires-at');
    if (isServers) throw new TypeError(`${operationId}: the server sends ${name} itself`);
    // RFC 9110 section 5.1
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new TypeError(`${operationId}: ${name} is not a valid name of a header field`);
  }
}

/** Returns the names in braces, in order. */
function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
}

type Parsed<Schemas> = Schemas extends ParameterSchemas
  ? { readonly [Name in keyof Schemas]: z.output<Schemas[Name]> }
  : Readonly<Record<never, never>>;

/** The request of a route's handler, parsed by the route's schemas. */
export interface RouteRequest<R extends Route> {
  /**
   * The caller. The server has already checked the conditions of the route's rule that need no resource; the use case
   * checks the other conditions. It is a service if the rule allows services. Undefined for a public route.
   */
  readonly caller: R extends { readonly rule: ServiceRule }
    ? ServiceCaller
    : R extends { readonly rule: Rule }
      ? TokenCaller
      : undefined;
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
}

/** The body of a successful response, as the handler returns it. */
export type SuccessBody<R extends Route> = R['success']['body'] extends z.ZodType
  ? z.input<R['success']['body']>
  : undefined;

/**
 * A route that describes header fields must have `toHeaders`, which returns their values. Any other route must not have
 * it.
 */
export type HeaderHandling<R extends Route, Value> = Route extends R
  ? { toHeaders?(value: Value): Readonly<Record<string, string>> }
  : R['success'] extends { readonly headers: infer Described }
    ? { toHeaders(value: Value): Readonly<Record<keyof Described & string, string>> }
    : { readonly toHeaders?: never };
