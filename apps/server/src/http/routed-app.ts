import type { IncomingMessage } from 'node:http';
import { type Awaitable, andThen, SetupFault, UnavailableFault, UnstorableText } from '@gatehouse/domain';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import type { H3, H3Event, HTTPError } from 'h3';
import type { Logger } from 'pino';
import { type Answer, withHeader } from './answer.ts';
import type { IsCrossSite } from './cross-site.ts';
import { PROBLEM_ANSWERS } from './problem.ts';
import { RoutesRemembered } from './remembered-routes.ts';
import { nodeRequest, noteStart, requestId } from './request.ts';
import { createRespond, type RespondOptions } from './respond.ts';

export interface RoutedAppOptions extends RespondOptions {
  readonly log: Logger;
  /** Refuses requests that have effects. Default: for an app in which none has. */
  readonly isCrossSite?: IsCrossSite | undefined;
}

export type Handler = (event: H3Event) => Awaitable<Answer>;

/** The methods of a path. HEAD is implied by GET. Without an OPTIONS of its own, the path has one that only lists them. */
export type Endpoint = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler>>
>;

/** Makes another answer of a problem than the API's, which has the headers that go with it. */
export type ProblemView = (name: ProblemName, event: H3Event, plain: Answer) => Awaitable<Answer>;

/** Endpoints that tell of problems in their own way. */
export interface Surface {
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly problemView: ProblemView;
  /** Whether a request for a path that nothing has is told so in this way, too. */
  readonly isForReader: (request: IncomingMessage) => boolean;
}

declare module 'h3' {
  interface H3EventContext {
    /** That of the endpoint. */
    problemView?: ProblemView;
  }
}

/**
 * An app whose every answer, errors of the framework included, is one of ours. Any method of a path gets a response, and
 * OPTIONS and 405 need no token.
 */
export function createRoutedApp(
  { log, isCrossSite = () => false, ...options }: RoutedAppOptions,
  routes: Readonly<Record<string, Endpoint>>,
  pages?: Surface,
): H3 {
  const respond = createRespond(options);
  const app = new RoutesRemembered({
    silent: true,
    onError: (error, event) => {
      const name = problemOf(error, event, log);
      if (name === 'not_found' && pages?.isForReader(nodeRequest(event)))
        event.context.problemView = pages.problemView;
      return andThen(problemAnswer(name, event), (answer) => respond(event, answer));
    },
    ...((options.accessLog ?? options.requests) && { onRequest: noteStart }),
  });
  const unlessCrossSite =
    (handler: Handler): Handler =>
    (event) =>
      isCrossSite(nodeRequest(event)) ? problemAnswer('cross_site_request', event) : handler(event);
  const serveEndpoints = (endpoints: Surface['endpoints'], problemView?: ProblemView) => {
    for (const [path, endpoint] of Object.entries(endpoints)) {
      const handlers = handlersOf(endpoint, unlessCrossSite);
      const allow = ['allow', [...new Set([...handlers.keys(), 'OPTIONS'])].join(', ')] as const;
      const isSameOrigin = problemView !== undefined;
      const ownOptions = handlers.get('OPTIONS');
      handlers.set('OPTIONS', (event) =>
        ownOptions
          ? andThen(ownOptions(event), (answer) => withHeader(answer, allow))
          : { status: 204, headers: [allow], body: null, isSameOrigin },
      );
      const notAllowed: Handler = (event) =>
        andThen(problemAnswer('method_not_allowed', event), (answer) => withHeader(answer, allow));
      app.all(path, (event) => {
        if (problemView) event.context.problemView = problemView;
        const handler = handlers.get(event.req.method) ?? notAllowed;
        return andThen(handler(event), (answer) => respond(event, answer));
      });
    }
  };
  serveEndpoints(routes);
  if (pages) serveEndpoints(pages.endpoints, pages.problemView);
  return app;
}

/** @param guarded wraps what has effects, which GET and OPTIONS do not have */
function handlersOf(endpoint: Endpoint, guarded: (handler: Handler) => Handler): Map<string, Handler> {
  const handlers = new Map<string, Handler>();
  for (const [method, handler] of Object.entries(endpoint)) {
    if (method === 'GET') handlers.set('GET', handler).set('HEAD', handler);
    else handlers.set(method, method === 'OPTIONS' ? handler : guarded(handler));
  }
  return handlers;
}

function problemAnswer(name: ProblemName, event: H3Event): Awaitable<Answer> {
  const plain = PROBLEM_ANSWERS[name];
  return event.context.problemView?.(name, event, plain) ?? plain;
}

/**
 * The problem for whatever was thrown, and a line in the log under the request's id: nothing of it reaches the
 * caller. What the framework throws by itself are requests that it cannot read, or for which it has no route.
 */
function problemOf(error: HTTPError, event: H3Event, log: Logger): ProblemName {
  if (!error.unhandled) {
    if (error.status === 404) return 'not_found';
    if (error.status === 400) return 'malformed_request';
  }
  const fault = error.unhandled ? error.cause : error;
  const route = event.context.matchedRoute?.route ?? null;
  const facts = { request_id: requestId(event), route, err: fault };
  if (fault instanceof UnstorableText) {
    log.info(facts, 'a text cannot be stored');
    return 'malformed_request';
  }
  if (fault instanceof UnavailableFault || fault instanceof SetupFault) {
    log.warn(facts, 'not available');
    return 'unavailable';
  }
  log.error(facts, 'a request failed');
  return 'internal_error';
}
