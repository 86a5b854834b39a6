import { STATUS_CODES } from 'node:http';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import type { AccessLog } from './access-log.ts';
import type { Answer, Header } from './answer.ts';
import { latestResponse } from './connections.ts';
import type { CorsHeaders } from './cors.ts';
import type { Lifecycle } from './lifecycle.ts';
import { elapsedMs, nodeRequest, requestId } from './request.ts';

/** Turns an answer into a response, with the headers that every one has. */
type Respond = (event: H3Event, answer: Answer) => Response;

/** Records every response. Without a route: the path is not served. */
interface RequestRecorder {
  record(route: string | undefined, method: string, status: number, milliseconds: number): void;
}

export interface RespondOptions {
  readonly lifecycle: Readonly<Lifecycle>;
  /** Without it, no page of another origin may read an answer. */
  readonly corsHeaders?: CorsHeaders | undefined;
  readonly accessLog?: AccessLog | undefined;
  readonly requests?: RequestRecorder | undefined;
}

const NOSNIFF: Header = ['x-content-type-options', 'nosniff'];
const CLOSE: Header = ['connection', 'close'];

export function createRespond(options: RespondOptions): Respond {
  const { lifecycle, corsHeaders, accessLog, requests } = options;
  return (event, answer) => {
    const { status, body } = answer;
    const headers: Header[] = [...answer.headers, NOSNIFF, ['x-request-id', requestId(event)]];
    if (corsHeaders) headers.push(...corsHeaders(event));
    if (lifecycle.stage === 'draining' && isLast(event)) headers.push(CLOSE);
    const isHead = event.req.method === 'HEAD';
    if (isHead && body !== null) headers.push(['content-length', String(Buffer.byteLength(body))]);
    accessLog?.(event, answer);
    requests?.record(event.context.matchedRoute?.route, event.req.method, status, elapsedMs(event));
    const statusText = STATUS_CODES[status] ?? '';
    return new FastResponse(isHead ? null : body, {
      status,
      statusText,
      headers: headers as [string, string][],
    });
  };
}

/**
 * Tells clients of kept-alive connections to close them before they are cut. Such a response is the last one of its
 * connection, and requests that have arrived by then are answered first.
 */
function isLast(event: H3Event): boolean {
  return latestResponse(nodeRequest(event).socket) === event.runtime?.node?.res;
}
