import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, type Refuse, writeAndClose } from './refusals.ts';
import { afterwards, beginEnding, latestResponse, responsesOn } from './responses.ts';

/** The refusals by Node's error codes. With any other code, the request is malformed. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers requests that Node could not read to their end, each after the responses before it, and closes the connection. */
export function answerParseErrors(server: Server, refuse: Refuse): void {
  function answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!beginEnding(socket)) return;
    const refusal = REFUSALS[error.code ?? ''] ?? 'malformed_request';
    const latest = latestResponse(socket);
    if (!latest || latest.req.complete) {
      afterwards(latest, () => writeAndClose(refuse(refusal, undefined), socket));
      return;
    }
    // Node could not read the latest request to its end. If that request was answered already, it gets no second answer.
    afterwards(responsesOn(socket).before, () => {
      if (latest.headersSent) socket.destroySoon();
      else writeAndClose(refuse(refusal, latest.req), socket);
    });
  }
  server.on('clientError', answer);
}

/** Refuses each CONNECT and closes its connection. Node neither answers nor closes it. */
export function refuseTunnels(server: Server, refuse: Refuse): void {
  server.on('connect', (request: IncomingMessage) => {
    const { socket } = request;
    // Node removes its own listener. Without any listener, an error of this connection would end the process.
    socket.on('error', () => socket.destroy());
    if (!beginEnding(socket)) return;
    const before = latestResponse(socket);
    afterwards(before, () => writeAndClose(refuse('malformed_request', request), socket));
  });
}
