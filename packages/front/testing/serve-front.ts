import type { IncomingMessage, RequestListener } from 'node:http';
import {
  createListener,
  drain,
  isMalformed,
  type ListenerOptions,
  type ProtectOptions,
  protect,
} from '../src/index.ts';

export type ServedFront = Awaited<ReturnType<typeof serveFront>>;

/** The longest body that the handler reads, in bytes. */
const MAX_BODY = 16_384;

/** The handler's answers by path; all others are 404. A response to `HELD` waits for `letGo`. */
export const FOUND = '/';
export const LARGE = '/large';
export const HELD = '/held';
const BODIES: Readonly<Record<string, string>> = { [FOUND]: 'here', [LARGE]: 'x'.repeat(60_000) };

/** Serves a handler behind all guards, at a free port of this machine. It reads bodies that are posted. */
export async function serveFront(options: Partial<ProtectOptions & ListenerOptions> = {}) {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();

  const handle: RequestListener = (request, response) => {
    const answer = (status: number, body = '') =>
      response
        .writeHead(status, { 'x-request-id': idOf(request), 'content-length': String(body.length) })
        .end(body);
    const found = BODIES[request.url ?? ''];
    if (isMalformed(request)) {
      answer(400, 'malformed_request');
    } else if (request.method === 'POST') {
      void readBody(request).then(answer);
    } else if (request.url === HELD) {
      arrived.resolve();
      void gate.promise.then(() => answer(200));
    } else {
      // As most handlers do: not before Node has parsed all that it has read.
      queueMicrotask(() => answer(found === undefined ? 404 : 200, found));
    }
  };

  const server = createListener(protect(handle, { refuse, ...options }), {
    host: '127.0.0.1',
    port: 0,
    ...options,
  });
  await server.listen();
  return {
    server,
    url: server.url,
    /** Resolves when the first request for `HELD` is handled. */
    arrived: arrived.promise,
    letGo: gate.resolve,
    [Symbol.asyncDispose]: () => drain(server, { cutAfterMs: 0, cutNow: AbortSignal.abort() }),
  };
}

/** Resolves with the status of the response, as soon as that is known. */
function readBody(request: IncomingMessage): Promise<number> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) return Promise.resolve(413);
  return new Promise((resolve) => {
    request.resume().on('end', () => resolve(200));
  });
}

const STATUSES = {
  malformed_request: 400,
  body_too_large: 413,
  headers_too_large: 431,
  request_timeout: 408,
};

const refuse: ProtectOptions['refuse'] = (refusal, request) => ({
  status: STATUSES[refusal],
  headers: [
    ['x-request-id', request ? idOf(request) : ''],
    ['content-length', String(refusal.length)],
  ],
  body: refusal,
});

const idOf = ({ headers }: IncomingMessage) => String(headers['x-request-id'] ?? '');
