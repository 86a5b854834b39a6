import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { LoadRequest } from './plan.ts';

/** A connection for one request after the other, which costs a fraction of Node's HTTP client. */
export interface RawConnection extends Disposable {
  /** There must be no request under way. */
  send(request: LoadRequest, onAnswered: (status: number) => void): void;
}

/** Reports to `fail` when the connection ends before it is disposed of, or when an answer cannot be read. */
export async function connect(url: string, fail: (error: Error) => void): Promise<RawConnection> {
  const { hostname, port, host } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let received = '';
  let onAnswered: ((status: number) => void) | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    received += text;
    const answer = readAnswer(received);
    if (answer === 'incomplete') return;
    if (answer === 'unreadable' || !onAnswered) return fail(new Error(`${url} answered: ${received}`));
    received = '';
    onAnswered(answer);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error(`${url} closed a connection`)));
  return {
    send(request, whenAnswered) {
      onAnswered = whenAnswered;
      socket.write(bytesOf(request, host));
    },
    [Symbol.dispose]() {
      socket.removeAllListeners('close').destroy();
    },
  };
}

/** Reads the status of an answer, once all of it is there. */
export function readAnswer(received: string): number | 'incomplete' | 'unreadable' {
  const body = received.indexOf('\r\n\r\n') + 4;
  if (body < 4) return 'incomplete';
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(received)?.[1];
  const missing = length === undefined ? -1 : body + Number(length) - received.length;
  if (missing > 0) return 'incomplete';
  return missing === 0 ? Number(received.slice(9, 12)) : 'unreadable';
}

/** The bytes of a request are built once and sent many times. */
const made = new WeakMap<LoadRequest, Buffer>();

function bytesOf(request: LoadRequest, host: string): Buffer {
  const known = made.get(request);
  if (known) return known;
  const { method = 'GET', path, headers, body } = request;
  const lines = Object.entries({
    host,
    ...(body !== undefined && { 'content-length': `${Buffer.byteLength(body)}` }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
  made.set(request, bytes);
  return bytes;
}
