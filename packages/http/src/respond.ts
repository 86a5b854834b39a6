import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Awaitable } from '@gatehouse/domain';
import type { Answer } from './answer.ts';
import type { CorsHeaders } from './cors.ts';
import { PROBLEM_ANSWERS } from './problem.ts';
import type { HttpRequest } from './request.ts';

export interface RespondOptions {
  /** Returns whether the response tells its client to close the connection. Default: never. */
  readonly endsConnection?: ((response: ServerResponse) => boolean) | undefined;
  /** Returns the CORS headers. If undefined, no page of another origin may read a response. */
  readonly corsHeaders?: CorsHeaders | undefined;
  /** Adds the route and the id of a request to its trace. Called before the answer is sent. */
  readonly traceAnswer?: ((request: HttpRequest) => void) | undefined;
  /** Logs a request once it is answered. */
  readonly accessLog?: ((request: HttpRequest, answer: Answer) => void) | undefined;
  readonly requests?: RequestRecorder | undefined;
}

/** Records answered requests in the metrics. */
export interface RequestRecorder {
  /** @param route undefined for a path that is not served */
  record(route: string | undefined, method: string, status: number, milliseconds: number): void;
}

/** Creates the function that sends an answer, with the headers that all answers have. */
export function createRespond(options: RespondOptions) {
  const { endsConnection, corsHeaders, accessLog, requests, traceAnswer } = options;
  return (request: HttpRequest, answer: Answer): Awaitable<void> => {
    const { response } = request;
    // An answer was sent already, so the client cannot learn about a later failure. Such a failure was logged.
    if (response.headersSent) return;
    const headers: string[] = [];
    for (const [name, value] of answer.headers) headers.push(name, value);
    if (request.carried) for (const [name, value] of request.carried) headers.push(name, value);
    headers.push('x-content-type-options', 'nosniff', 'x-request-id', request.id);
    if (corsHeaders && !answer.isSameOrigin)
      for (const [name, value] of corsHeaders(request)) headers.push(name, value);
    if (endsConnection?.(response)) headers.push('connection', 'close');
    traceAnswer?.(request);
    const streaming = send(request, answer, headers);
    accessLog?.(request, answer);
    requests?.record(request.route, request.method, answer.status, request.elapsedMs);
    return streaming;
  };
}

/** Sends an answer. If the body is ASCII, Node writes it faster as `latin1` than as `utf8`. */
function send(
  { response, method }: HttpRequest,
  { status, body, stream }: Answer,
  headers: string[],
): Awaitable<void> {
  const length = body === null ? 0 : Buffer.byteLength(body);
  if (body !== null) headers.push('content-length', String(length));
  // The reason phrase is passed, because Node otherwise keeps the phrase of an earlier call of `writeHead` that threw.
  response.writeHead(status, STATUS_CODES[status], headers);
  if (method !== 'HEAD' && stream) return stream(response);
  if (method === 'HEAD') response.end();
  else response.end(body, length === body?.length ? 'latin1' : 'utf8');
  return undefined;
}

/**
 * Answers with 500 and closes the connection. Called if the handler failed, and sending the answer for that failure
 * failed as well.
 */
export function respondAfterAll(request: HttpRequest): void {
  const { response } = request;
  if (response.headersSent) return;
  response.shouldKeepAlive = false;
  const headers = ['x-content-type-options', 'nosniff', 'x-request-id', request.id];
  const answer = PROBLEM_ANSWERS.internal_error;
  void send(request, answer, [...answer.headers.flat(), ...headers]);
}
