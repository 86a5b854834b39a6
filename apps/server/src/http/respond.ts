import { STATUS_CODES } from 'node:http';
import { latestResponse } from '@gatehouse/front';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import type { RequestDurations } from '../metrics/request-durations.ts';
import type { AccessLog } from './access-log.ts';
import type { Answer } from './answer.ts';
import type { CorsHeaders } from './cors.ts';
import type { Lifecycle } from './lifecycle.ts';
import { elapsedMs, nodeRequest, nodeResponse, requestId } from './request.ts';

export interface RespondOptions {
  readonly lifecycle: Readonly<Lifecycle>;
  /** Without it, no page of another origin may read an answer. */
  readonly corsHeaders?: CorsHeaders | undefined;
  readonly accessLog?: AccessLog | undefined;
  readonly requests?: Pick<RequestDurations, 'record'> | undefined;
  /** Notes in the trace of a request what its answer is known by. */
  readonly traceAnswer?: ((event: H3Event) => void) | undefined;
}

type Respond = (event: H3Event, answer: Answer) => Response | Promise<Response>;

/**
 * The framework's response to every request. Node is given each answer at once: by way of a web `Response`, its headers would
 * be copied twice and its end would be a write of its own.
 */
const ANSWERED = new FastResponse(null);

/** Sends each answer to Node, with the headers of every response; the returned `Response` only says that it is done. */
export function createRespond(options: RespondOptions): Respond {
  const { lifecycle, corsHeaders, accessLog, requests, traceAnswer } = options;
  return (event, answer) => {
    const response = nodeResponse(event);
    // What fails after an answer was sent is only logged.
    if (response.headersSent) return ANSWERED;
    const { status, body } = answer;
    const headers: string[] = [];
    for (const [name, value] of answer.headers) headers.push(name, value);
    headers.push('x-content-type-options', 'nosniff', 'x-request-id', requestId(event));
    if (corsHeaders && !answer.isSameOrigin)
      for (const [name, value] of corsHeaders(event)) headers.push(name, value);
    if (lifecycle.stage === 'draining' && isLast(event)) headers.push('connection', 'close');
    const length = body === null ? 0 : Buffer.byteLength(body);
    if (body !== null) headers.push('content-length', String(length));
    traceAnswer?.(event);
    // Node keeps the reason of a `writeHead` that failed.
    response.writeHead(status, STATUS_CODES[status], headers);
    const streamed = event.req.method === 'HEAD' ? undefined : answer.stream?.(response);
    if (!streamed) {
      // Node writes head and body together, and characters of one byte each with less work.
      const encoding = length === body?.length ? 'latin1' : 'utf8';
      response.end(event.req.method === 'HEAD' ? undefined : body, encoding);
    }
    accessLog?.(event, answer);
    requests?.record(event.context.matchedRoute?.route, event.req.method, status, elapsedMs(event));
    return streamed ? streamed.then(() => ANSWERED) : ANSWERED;
  };
}

/**
 * Tells clients of kept-alive connections to close them before they are cut. Such a response is the last one of its
 * connection, and requests that have arrived by then are answered first.
 */
function isLast(event: H3Event): boolean {
  return latestResponse(nodeRequest(event).socket) === nodeResponse(event);
}
