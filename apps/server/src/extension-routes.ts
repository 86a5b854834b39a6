import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableFault } from '@gatehouse/domain';
import type { TokenCaller } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import type { HandledRoute, Route, RouteRequest } from '@gatehouse/extension-kit/http';
import type { ServedRoute } from '@gatehouse/http';

/** The routes of an extension. */
export interface ExtensionRoutes {
  readonly routes: readonly HandledRoute[];
  /** Rejects when the time limit for an answer is over, unless `settled` is aborted before. */
  readonly deadline: (settled: AbortSignal) => Promise<never>;
  /** Runs the work of a route on behalf of a user: users take turns at connections to the database. */
  readonly onBehalfOf: <T>(user: UserId, work: () => T) => T;
}

/** Serves the routes of an extension. Its faults stay its own: a use case that does not settle is given up. */
export function serveExtension({ routes, deadline, onBehalfOf }: ExtensionRoutes): readonly ServedRoute[] {
  return routes.map((handled) => ({
    ...handled,
    async handle(asked: RouteRequest<Route>) {
      const settled = new AbortController();
      try {
        // Only the type of a single route says whether it has a rule, and so a caller.
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

/** The time limit for a route of an extension, in milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

/** The `deadline` of the routes that a server serves. */
export async function failAfterLimit(settled: AbortSignal): Promise<never> {
  await delay(ANSWER_WITHIN_MS, undefined, { signal: settled });
  throw new UnavailableFault(`no answer within ${ANSWER_WITHIN_MS} ms`);
}
