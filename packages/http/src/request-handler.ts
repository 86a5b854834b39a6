import type { RequestListener } from 'node:http';
import { type Awaitable, andThen, SetupFault, UnavailableFault, UnstorableText } from '@gatehouse/domain';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import { type ClientAddress, isMalformed } from '@gatehouse/front';
import { type Answer, withHeader } from './answer.ts';
import type { IsCrossSite } from './cross-site.ts';
import { PROBLEM_ANSWERS } from './problem.ts';
import { HttpRequest, type ProblemView } from './request.ts';
import { MALFORMED_PATH } from './request-target.ts';
import { createRespond, type RespondOptions, respondAfterAll } from './respond.ts';
import { createRouteTable } from './route-table.ts';

/**
 * Handles all requests. `paths` are the paths that the app serves, in the notation of routes; requests for other paths
 * are refused.
 */
export type App = RequestListener & { readonly paths: readonly string[] };

export interface RequestHandlerOptions extends RespondOptions {
  readonly log: FaultLog;
  readonly clientAddress: ClientAddress;
  /**
   * Returns whether a page of another site sent the request; such a request is refused. Default: no requests are
   * refused, which is for servers whose requests change nothing.
   */
  readonly isCrossSite?: IsCrossSite | undefined;
}

/**
 * Writes a log line for each fault, with the id and route of the request. The field `kind` identifies the type of line.
 */
interface FaultLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export type Handler = (request: HttpRequest) => Awaitable<Answer>;

/**
 * The handlers of a path by method. The handler of GET also handles HEAD. If the path has no handler for OPTIONS, one
 * is added that only lists the methods.
 */
export type Endpoint = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler>>
>;

/** The endpoints by path, in the notation of routes, such as `/api/v1/orgs/:id`. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** Endpoints that render problems in their own format, such as the web pages. */
export interface Surface {
  readonly endpoints: Endpoints;
  readonly problemView: ProblemView;
  /**
   * Returns whether a person will read the answer to a request, for example in a browser. If so, and the path is
   * unknown, `problemView` makes the answer.
   */
  readonly isForReader: (request: HttpRequest) => boolean;
}

/** A path of the router, with its handlers by method. */
interface Place {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly notAllowed: Handler;
  readonly problemView: ProblemView | undefined;
}

/**
 * Creates the handler that answers every request, even if the request's own handler fails. Every path answers every
 * method: OPTIONS lists the methods of the path, and a method without a handler is answered with 405. These two answers
 * need no token.
 */
export function createRequestHandler(
  options: RequestHandlerOptions,
  routes: Endpoints,
  pages?: Surface,
): App {
  const { log, clientAddress, isCrossSite = () => false } = options;
  const respond = createRespond(options);
  const places = {
    ...placesOf(routes, isCrossSite),
    ...(pages && placesOf(pages.endpoints, isCrossSite, pages.problemView)),
  };
  const findPlace = createRouteTable(places);

  function answerTo(request: HttpRequest): Awaitable<Answer> {
    if (request.path === MALFORMED_PATH || isMalformed(request.node))
      return problemAnswer('malformed_request', request);
    const found = findPlace(request.path);
    if (!found) {
      if (pages?.isForReader(request)) request.problemView = pages.problemView;
      return problemAnswer('not_found', request);
    }
    request.route = found.route;
    request.params = found.params;
    request.problemView = found.place.problemView;
    return (found.place.handlers.get(request.method) ?? found.place.notAllowed)(request);
  }

  const handle: RequestListener = (node, response) => {
    const request = new HttpRequest(node, response, clientAddress);
    const send = (answer: Answer) => respond(request, answer);
    const answer = () => andThen(answerTo(request), send);
    const tell = (fault: unknown) => andThen(problemAnswer(problemOf(fault, request, log), request), send);
    void attempt(
      () => attempt(answer, tell),
      () => respondAfterAll(request),
    );
  };
  return Object.assign(handle, { paths: Object.keys(places) });
}

/** Runs the work. If the work throws or its promise rejects, returns the result of `recover`. */
function attempt<T>(work: () => Awaitable<T>, recover: (fault: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(recover) : done;
  } catch (fault) {
    return recover(fault);
  }
}

function placesOf(
  endpoints: Endpoints,
  isCrossSite: IsCrossSite,
  problemView?: ProblemView,
): Readonly<Record<string, Place>> {
  const unlessCrossSite =
    (handler: Handler): Handler =>
    (request) =>
      isCrossSite(request.node) ? problemAnswer('cross_site_request', request) : handler(request);
  const placeOf = ({ OPTIONS, ...endpoint }: Endpoint): Place => {
    const handlers = new Map<string, Handler>();
    for (const [method, handler] of Object.entries(endpoint)) {
      if (method === 'GET') handlers.set('GET', handler).set('HEAD', handler);
      else handlers.set(method, unlessCrossSite(handler));
    }
    const allow = ['allow', [...handlers.keys(), 'OPTIONS'].join(', ')] as const;
    const withAllow = (answer: Answer) => withHeader(answer, allow);
    const listMethods: Answer = {
      status: 204,
      headers: [allow],
      body: null,
      isSameOrigin: problemView !== undefined,
    };
    handlers.set('OPTIONS', OPTIONS ? (request) => andThen(OPTIONS(request), withAllow) : () => listMethods);
    const notAllowed = (request: HttpRequest) =>
      andThen(problemAnswer('method_not_allowed', request), withAllow);
    return { handlers, notAllowed, problemView };
  };
  return Object.fromEntries(Object.entries(endpoints).map(([path, endpoint]) => [path, placeOf(endpoint)]));
}

function problemAnswer(name: ProblemName, request: HttpRequest): Awaitable<Answer> {
  const plain = PROBLEM_ANSWERS[name];
  return request.problemView?.(name, request, plain) ?? plain;
}

/**
 * Logs a fault with the id of the request, and returns the problem to answer with. The text of the fault is never sent
 * to the caller.
 */
function problemOf(fault: unknown, request: HttpRequest, log: FaultLog): ProblemName {
  const facts = { request_id: request.id, route: request.route ?? null, err: fault };
  if (fault instanceof UnstorableText) {
    log.info(facts, 'a request contains a text that cannot be stored');
    return 'malformed_request';
  }
  if (fault instanceof UnavailableFault || fault instanceof SetupFault) {
    log.warn({ kind: 'unavailable', ...facts }, 'a request cannot be answered now, for the reason in `err`');
    return 'unavailable';
  }
  log.error(
    { kind: 'request_failed', ...facts },
    'a request failed because of a bug in Gatehouse or in an extension',
  );
  return 'internal_error';
}
