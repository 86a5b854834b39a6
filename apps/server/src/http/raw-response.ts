import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import { latestResponse, responsesOn } from '@gatehouse/front';
import { PROBLEM_ANSWERS } from './problem.ts';
import { fittingId } from './request.ts';

const PROBLEM_OF: Readonly<Record<string, ProblemName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Each has its last answer, or waits for its turn: of what still comes on it, nothing is answered. */
const ending = new WeakSet<Socket>();

/** Answers a request that Node could not read to its end, and closes the connection. */
export function answerParseError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  const name = PROBLEM_OF[error.code ?? ''] ?? 'malformed_request';
  const latest = latestResponse(socket);
  if (!latest || latest.req.complete) {
    afterwards(latest, () => writeProblem(name, socket));
    return;
  }
  afterwards(responsesOn(socket).before, () => {
    // It is this very request that broke off. What was answered already stays its one answer.
    if (latest.headersSent) socket.destroySoon();
    else writeProblem(name, socket, latest.req);
  });
}

/** Refuses a CONNECT, with which Node leaves the connection to us, and closes it. */
export function answerTunnel(request: IncomingMessage): void {
  const { socket } = request;
  // Node has taken its own listener away: without one, a client that breaks off would end the process.
  socket.on('error', () => socket.destroy());
  if (ending.has(socket)) return;
  ending.add(socket);
  afterwards(latestResponse(socket), () => writeProblem('malformed_request', socket, request));
}

/** Closes a connection once this response is written, and after so many milliseconds at the latest. */
export function endAfter(last: ServerResponse, socket: Socket, withinMs: number): void {
  ending.add(socket);
  const cutting = setTimeout(() => socket.destroy(), withinMs).unref();
  socket.once('close', () => clearTimeout(cutting));
  if (!last.headersSent) last.shouldKeepAlive = false;
  afterwards(last, () => socket.destroySoon());
}

/** Node sends responses in the order of their requests: the one before goes out after all others. */
function afterwards(response: ServerResponse | undefined, then: () => void): void {
  if (response && !response.writableFinished) response.once('finish', then);
  else then();
}

/** Answers a request whose fields cannot be relied on, and closes the connection. */
export function answerUnreadable(
  name: ProblemName,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { status, fields, body } = problemMessage(name, request);
  response.shouldKeepAlive = false;
  response.writeHead(status, fields.flat()).end(body);
}

/** @param request the one that is answered, as far as it was read */
function problemMessage(name: ProblemName, request: IncomingMessage | undefined) {
  const { status, headers, body } = PROBLEM_ANSWERS[name];
  const fields = [
    ...headers,
    ['x-content-type-options', 'nosniff'],
    ['x-request-id', (request && fittingId(request)) ?? randomUUID()],
    ['content-length', String(Buffer.byteLength(body ?? ''))],
  ];
  return { status, fields, body };
}

function writeProblem(name: ProblemName, socket: Socket, request?: IncomingMessage): void {
  if (socket.writable) {
    const { status, fields, body } = problemMessage(name, request);
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...fields.map(([header, value]) => `${header}: ${value}`),
      `date: ${new Date().toUTCString()}`,
      'connection: close',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}
