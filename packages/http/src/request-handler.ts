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

/** Handles the requests for these paths, as the table of routes has them, and refuses all others. */
export type App = RequestListener & { readonly paths: readonly string[] };

export interface RequestHandlerOptions extends RespondOptions {
  readonly log: FaultLog;
  readonly clientAddress: ClientAddress;
  /** Detects requests from pages of other sites, which are refused. Default: refuses none, for endpoints without effects. */
  readonly isCrossSite?: IsCrossSite | undefined;
}

/** Takes a line for each fault, with the request's id and route; `kind` tells them apart. */
interface FaultLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export type Handler = (request: HttpRequest) => Awaitable<Answer>;

/** The methods of a path. HEAD is implied by GET. If the path has no OPTIONS, one is added that only lists the methods. */
export type Endpoint = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler>>
>;

/** Endpoints by the paths of their routes. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** Endpoints that show problems in their own way. */
export interface Surface {
  readonly endpoints: Endpoints;
  readonly problemView: ProblemView;
  /** Whether a request for an unknown path is answered by `problemView`. */
  readonly isForReader: (request: HttpRequest) => boolean;
}

/** A path with its methods. */
interface Place {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly notAllowed: Handler;
  readonly problemView: ProblemView | undefined;
}

/**
 * Creates the handler that answers every request, even one that fails. Every path answers every method: OPTIONS lists the
 * methods of the path, and other methods get 405. Neither needs a token.
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

/** Runs the work. Calls `recover` if the work throws or its promise rejects. */
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

/** Returns the problem for a fault, and logs the fault under the request's id: its text never reaches the caller. */
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
