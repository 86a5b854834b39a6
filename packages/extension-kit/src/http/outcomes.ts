import type { Rule, ServiceRule } from '@gatehouse/domain/access';
import type { z } from 'zod';
import { PROBLEMS, type Problem, type ProblemName, problemOf } from './problems.ts';
import type { Route } from './route.ts';

/** Problems of a request that the server refuses before it passes the request to a route. */
const OF_TRANSPORT = ['malformed_request', 'request_timeout', 'headers_too_large'] as const;
/** Problems of a route that may change something: one whose method is not GET. */
const OF_EFFECTS = ['cross_site_request'] as const;
/** Problems of every route whose response is not constant. */
const OF_SERVICE = ['internal_error', 'unavailable'] as const;
/** Problems of a route with a rule, which requires a bearer token or the credential of a service. */
const OF_CALLER = ['repeated_authorization'] as const;
/** Problems of a route with a rule for tokens. */
const OF_TOKENS = [
  'token_required',
  'token_not_accepted',
  'insufficient_scope',
  'network_not_allowed',
] as const;
/** Problems of a route with a rule for services. Their credentials have no scopes. */
const OF_CREDENTIALS = ['service_credential_required', 'service_credential_not_accepted'] as const;
/** Problems of a route with a body. */
const OF_BODY = ['malformed_body', 'unsupported_media_type', 'invalid_input'] as const;
/** The problem of a route whose body is too large. */
const OF_SIZE = ['body_too_large'] as const;
/** The problem of a route with `isLargeJson` whose body is too large. */
const OF_LARGE_SIZE = ['json_too_large'] as const;

/** The problems of a route: the declared ones, and the ones that follow from its other properties. */
export type ProblemOf<R extends Route> =
  | (typeof OF_TRANSPORT)[number]
  | (R['method'] extends 'GET' ? never : (typeof OF_EFFECTS)[number])
  | (R extends { readonly constant: true } ? never : (typeof OF_SERVICE)[number])
  | (R extends { readonly rule: Rule } ? (typeof OF_CALLER)[number] : never)
  | (R extends { readonly rule: ServiceRule }
      ? (typeof OF_CREDENTIALS)[number]
      : R extends { readonly rule: Rule }
        ? (typeof OF_TOKENS)[number]
        : never)
  | (R['body'] extends z.ZodType ? (typeof OF_BODY)[number] | SizeProblemOf<R> : never)
  | (R extends { readonly query: object } ? QueryProblemOf<R> : never)
  | OwnProblemOf<R>;

type SizeProblemOf<R extends Route> = R extends { readonly isLargeJson: true }
  ? (typeof OF_LARGE_SIZE)[number]
  : (typeof OF_SIZE)[number];

/** The problem of a route if the query of a request is not valid. */
type QueryProblemOf<R extends Route> = R extends { readonly queryProblem: infer Name extends ProblemName }
  ? Name
  : 'invalid_query';

/** The problems that a route declares. */
export type OwnProblemOf<R extends Route> = R extends {
  readonly problems: readonly (infer Name extends ProblemName)[];
}
  ? Name
  : never;

/** The codes of a route's own refusals. */
export type RefusalCodeOf<R extends Route> = R extends {
  readonly refusals: readonly { readonly code: infer Code extends string }[];
}
  ? Code
  : never;

/**
 * Returns the problems of a route by their names, without duplicates. The name of the route's own refusal is its code.
 */
export function problemsOf(route: Route): ReadonlyMap<string, Problem> {
  const names: readonly ProblemName[] = [
    ...OF_TRANSPORT,
    ...(route.method === 'GET' ? [] : OF_EFFECTS),
    ...(route.constant ? [] : OF_SERVICE),
    ...(route.rule === undefined ? [] : OF_CALLER),
    ...(route.rule === undefined ? [] : route.rule.services ? OF_CREDENTIALS : OF_TOKENS),
    ...(route.body ? [...OF_BODY, ...(route.isLargeJson ? OF_LARGE_SIZE : OF_SIZE)] : []),
    ...(route.query ? [route.queryProblem ?? ('invalid_query' as const)] : []),
    ...(route.problems ?? []),
  ];
  return new Map([
    ...names.map((name) => [name, PROBLEMS[name]] as const),
    ...(route.refusals ?? []).map(
      ({ code, status, title }) => [code, problemOf(code, status, title)] as const,
    ),
  ]);
}

/** Returns the statuses of a route in ascending order, each with its problems. Success and 304 have none. */
export function outcomesOf(route: Route): ReadonlyMap<number, readonly string[]> {
  const { status, etag } = route.success;
  const byStatus = new Map<number, readonly string[]>([[status, []], ...(etag ? [[304, []] as const] : [])]);
  for (const [name, { status: failed }] of problemsOf(route)) {
    byStatus.set(failed, [...(byStatus.get(failed) ?? []), name]);
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}
