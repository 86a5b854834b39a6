import type { Rule } from '@gatehouse/domain/access';
import type { z } from 'zod';
import { PROBLEMS, type ProblemName } from './problems.ts';
import type { Route } from './route.ts';

/** Problems that occur before a route gets the request. */
const OF_TRANSPORT = ['malformed_request', 'request_timeout', 'headers_too_large'] as const;
/** Problems of every route whose response is not constant. */
const OF_SERVICE = ['internal_error', 'unavailable'] as const;
/** Problems of a route with a rule. */
const OF_BEARER = [
  'repeated_authorization',
  'token_required',
  'token_not_accepted',
  'insufficient_scope',
] as const;
/** Problems of a route with a body. */
const OF_BODY = ['malformed_body', 'body_too_large', 'unsupported_media_type', 'invalid_input'] as const;

/** The problems of a route: those it declares, and those that follow from its other members. */
export type ProblemOf<R extends Route> =
  | (typeof OF_TRANSPORT)[number]
  | (R extends { readonly constant: true } ? never : (typeof OF_SERVICE)[number])
  | (R extends { readonly rule: Rule } ? (typeof OF_BEARER)[number] : never)
  | (R['body'] extends z.ZodType ? (typeof OF_BODY)[number] : never)
  | (R extends { readonly query: object } ? 'invalid_query' : never)
  | OwnProblemOf<R>;

/** The problems that a route declares. */
export type OwnProblemOf<R extends Route> = R extends {
  readonly problems: readonly (infer Name extends ProblemName)[];
}
  ? Name
  : never;

/** Returns the problems of a route without duplicates. */
export function problemsOf(route: Route): readonly ProblemName[] {
  return [
    ...new Set<ProblemName>([
      ...OF_TRANSPORT,
      ...(route.constant ? [] : OF_SERVICE),
      ...(route.rule === undefined ? [] : OF_BEARER),
      ...(route.body ? OF_BODY : []),
      ...(route.query ? (['invalid_query'] as const) : []),
      ...(route.problems ?? []),
    ]),
  ];
}

/** Returns the statuses of a route in ascending order, each with its problems. Success and 304 have none. */
export function outcomesOf(route: Route): ReadonlyMap<number, readonly ProblemName[]> {
  const { status, etag } = route.success;
  const byStatus = new Map<number, readonly ProblemName[]>([
    [status, []],
    ...(etag ? [[304, []] as const] : []),
  ]);
  for (const name of problemsOf(route)) {
    const { status: failed } = PROBLEMS[name];
    byStatus.set(failed, [...(byStatus.get(failed) ?? []), name]);
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}
