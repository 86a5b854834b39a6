import type { HandledRoute } from '@gatehouse/extension-kit/http';
import { type ServedRoute, serveRoute } from './http/served-route.ts';

/** The routes of an extension. */
export interface ExtensionRoutes {
  readonly routes: readonly HandledRoute[];
  /** Rejects after the longest time that an answer may take; `settled` ends it. */
  readonly deadline: (settled: AbortSignal) => Promise<never>;
}

/** Serves the routes of an extension. Its faults stay its own: a use case that does not settle is given up. */
export function serveExtension({ routes, deadline }: ExtensionRoutes): readonly ServedRoute[] {
  return routes.map(({ route, handle, toBody }) =>
    serveRoute(route, {
      async handle(request) {
        const settled = new AbortController();
        try {
          return await Promise.race([handle(request), deadline(settled.signal)]);
        } finally {
          settled.abort();
        }
      },
      toBody,
    }),
  );
}
