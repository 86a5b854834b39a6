import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** The reason why a request is refused before it reaches the handler. */
export type Refusal = 'malformed_request' | 'headers_too_large' | 'body_too_large' | 'request_timeout';

/**
 * A whole response. The headers must include `Content-Length`, but not `Date` and `Connection`, which are added when
 * the response is sent.
 */
export interface RefusalAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/**
 * Makes the answer to a request that is refused. `request` has the part of the request that was read; undefined if
 * nothing was read.
 */
export type Refuse = (refusal: Refusal, request: IncomingMessage | undefined) => RefusalAnswer;

/** Answers a request, and closes its connection. */
export function answerAndClose({ status, headers, body }: RefusalAnswer, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.writeHead(status, headers.flat()).end(body);
}

/**
 * Writes an answer directly to a connection, because Node created no response object for the request. Then closes the
 * connection.
 */
export function writeAndClose({ status, headers, body }: RefusalAnswer, socket: Socket): void {
  if (socket.writable) {
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      `date: ${new Date().toUTCString()}`,
      'connection: close',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}
