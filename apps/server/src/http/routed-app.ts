import { UnavailableFault } from '@gatehouse/domain';
import { H3, type H3Event, type HTTPError } from 'h3';
import type { Logger } from 'pino';
import { type Answer, withHeader } from './answer.ts';
import { PROBLEM_ANSWERS } from './problem.ts';
import { noteStart, requestId } from './request.ts';
import { createRespond, type RespondOptions } from './respond.ts';

export interface RoutedAppOptions extends RespondOptions {
  readonly log: Logger;
}

export type Handler = (event: H3Event) => Answer | Promise<Answer>;

/** The methods of a path. HEAD is implied by GET, and OPTIONS by all, so they are not listed. */
export type Endpoint = Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handler>>>;

/**
 * An app whose every answer, errors of the framework included, is one of ours. Any method of a path gets a response, and
 * OPTIONS and 405 need no token.
 */
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
  for (const [path, endpoint] of Object.entries(routes)) {
    const handlers = handlersOf(endpoint);
    const allow = ['allow', [...handlers.keys(), 'OPTIONS'].join(', ')] as const;
    handlers.set('OPTIONS', () => ({ status: 204, headers: [allow], body: null }));
    const notAllowed = withHeader(PROBLEM_ANSWERS.method_not_allowed, allow);
    app.all(path, async (event) => {
      const handler = handlers.get(event.req.method);
      return respond(event, handler ? await handler(event) : notAllowed);
    });
  }
  return app;
}

function handlersOf(endpoint: Endpoint): Map<string, Handler> {
  const handlers = new Map<string, Handler>();
  for (const [method, handler] of Object.entries(endpoint)) {
    handlers.set(method, handler);
    if (method === 'GET') handlers.set('HEAD', handler);
  }
  return handlers;
}

/**
 * The answer to whatever was thrown, and a line in the log under the request's id: nothing of it reaches the
 * caller. What the framework throws by itself are requests that it cannot read, or for which it has no route.
 */
function faultAnswer(error: HTTPError, event: H3Event, log: Logger): Answer {
  if (!error.unhandled) {
    if (error.status === 404) return PROBLEM_ANSWERS.not_found;
    if (error.status === 400) return PROBLEM_ANSWERS.malformed_request;
  }
  const fault = error.unhandled ? error.cause : error;
  const route = event.context.matchedRoute?.route ?? null;
  const facts = { request_id: requestId(event), route, err: fault };
  if (fault instanceof UnavailableFault) {
    log.warn(facts, 'not available');
    return PROBLEM_ANSWERS.unavailable;
  }
  log.error(facts, 'a request failed');
  return PROBLEM_ANSWERS.internal_error;
}
