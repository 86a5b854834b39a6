import { H3 } from 'h3';
import type { Logger } from 'pino';
import { faultAnswer } from './faults.ts';
import { noteStart } from './request-recorder.ts';
import { createRespond, type RespondOptions } from './respond.ts';
import { addRoute, type Endpoint } from './route.ts';

export interface RoutedAppOptions extends RespondOptions {
  readonly log: Logger;
}

/** An app whose every answer, errors of the framework included, is one of ours. */
export function createRoutedApp(
  { log, ...options }: RoutedAppOptions,
  routes: Readonly<Record<string, Endpoint>>,
): H3 {
  const respond = createRespond(options);
  const app = new H3({
    silent: true,
    onError: (error, event) => respond(event, faultAnswer(error, event, log)),
    ...((options.accessLog ?? options.requests) && { onRequest: noteStart }),
  });
  for (const [path, endpoint] of Object.entries(routes)) addRoute(app, path, endpoint, respond);
  return app;
}
