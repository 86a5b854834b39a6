import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableFault } from '@gatehouse/domain';
import type { TokenCaller } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import type { HandledRoute, Route, RouteRequest } from '@gatehouse/extension-kit/http';
import type { ServedRoute } from '@gatehouse/http';

/** The routes of an extension, with the limits under which they are served. */
export interface ExtensionRoutes {
  readonly routes: readonly HandledRoute[];
  /**
   * Rejects when the time limit for an answer is over. Abort `settled` when the route has answered, which ends the
   * wait.
   */
  readonly deadline: (settled: AbortSignal) => Promise<never>;
  /**
   * Runs the work of a route for a user. Connections to the database are given to users in turns, so that one user
   * cannot use up all of them.
   */
  readonly onBehalfOf: <T>(user: UserId, work: () => T) => T;
}

/**
 * Serves the routes of an extension. If its use case does not answer in time, a request is answered with 503, so a
 * fault of the extension does not hold up the server.
 *
 * @throws TypeError if the rule of a route allows services, because only routes of Gatehouse have services as callers
 */
export function serveExtension({ routes, deadline, onBehalfOf }: ExtensionRoutes): readonly ServedRoute[] {
  return routes.map((handled) => ({
    ...withoutServices(handled),
    async handle(asked: RouteRequest<Route>) {
      const settled = new AbortController();
      try {
        // The type of `asked` has no caller, because this function serves any route. Routes with a rule have a caller.
        const caller = asked.caller as TokenCaller | undefined;
        const handling = caller
          ? onBehalfOf(caller.userId, () => handled.handle(asked))
          : handled.handle(asked);
        return await Promise.race([handling, deadline(settled.signal)]);
      } finally {
        settled.abort();
      }
    },
  }));
}

function withoutServices(handled: HandledRoute): HandledRoute {
  const { operationId, rule } = handled.route;
  if (rule?.services) throw new TypeError(`${operationId}: the rule ${rule.name} must not allow services`);
  return handled;
}

/** The time limit for a route of an extension, in milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

/** Rejects after the time limit for routes of extensions. Used as the `deadline` of these routes in a server. */
export async function failAfterLimit(settled: AbortSignal): Promise<never> {
  await delay(ANSWER_WITHIN_MS, undefined, { signal: settled });
  throw new UnavailableFault(`the extension did not answer within ${ANSWER_WITHIN_MS} ms`);
}
