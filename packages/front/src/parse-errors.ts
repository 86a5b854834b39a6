import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, type Refuse, writeAndClose } from './refusals.ts';
import { afterwards, beginEnding, latestResponse, responsesOn } from './responses.ts';

/**
 * The refusals for errors of Node's parser, by code. An error with any other code is answered as a malformed request.
 */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers requests that Node could not read completely, and closes their connections. An answer is sent after the
 * responses to earlier requests of the connection.
 */
export function answerParseErrors(server: Server, refuse: Refuse): void {
  function answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!beginEnding(socket)) return;
    const refusal = REFUSALS[error.code ?? ''] ?? 'malformed_request';
    const latest = latestResponse(socket);
    if (!latest || latest.req.complete) {
      afterwards(latest, () => writeAndClose(refuse(refusal, undefined), socket));
      return;
    }
    // The latest request has a handler, but Node could not read it completely. If the handler has answered, no second
    // answer is sent.
    afterwards(responsesOn(socket).before, () => {
      if (latest.headersSent) socket.destroySoon();
      else writeAndClose(refuse(refusal, latest.req), socket);
    });
  }
  server.on('clientError', answer);
}

/**
 * Refuses each CONNECT request and closes its connection. Node itself would neither answer the request nor close the
 * connection.
 */
export function refuseTunnels(server: Server, refuse: Refuse): void {
  server.on('connect', (request: IncomingMessage) => {
    const { socket } = request;
    // Node has removed its own error listener. Without any listener, an error of this connection would end the process.
    socket.on('error', () => socket.destroy());
    if (!beginEnding(socket)) return;
    const before = latestResponse(socket);
    afterwards(before, () => writeAndClose(refuse('malformed_request', request), socket));
  });
}
