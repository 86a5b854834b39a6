import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemName } from '@gatehouse/api-contract';
import { problemAnswer } from './problem.ts';

const PROBLEM_OF: Readonly<Record<string, ProblemName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers a request that Node could not read to its end, and closes the connection. Requests that came before
 * it on the same connection are answered first, so that no answer is taken for another one's.
 */
export function answerParseError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
): void {
  const name = PROBLEM_OF[error.code ?? ''] ?? 'malformed_request';
  if (latest && !latest.req.complete) {
    // It is this very request that broke off: half an answer can only be cut, and a whole one was heard.
    if (latest.headersSent) socket.destroy();
    else answerRaw(name, socket);
  } else if (latest && !latest.writableFinished) {
    latest.once('finish', () => answerRaw(name, socket));
  } else {
    answerRaw(name, socket);
  }
}

/** Writes a problem to a connection on which no request is being answered, and closes it. */
export function answerRaw(name: ProblemName, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = problemAnswer(name);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([header, value]) => `${header}: ${value}`),
    'x-content-type-options: nosniff',
    `x-request-id: ${randomUUID()}`,
    `date: ${new Date().toUTCString()}`,
    `content-length: ${Buffer.byteLength(body ?? '')}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
