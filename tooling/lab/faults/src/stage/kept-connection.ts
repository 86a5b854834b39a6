import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { CheckedAnswer } from '@gatehouse/api-contract/testing';

/** Sends requests that no client library would, one after the other, on a kept-alive connection. */
export interface KeptConnection extends Disposable {
  /** Connects now instead of with the first request. */
  open(): Promise<void>;
  /** Rejects without a response, or if it cannot be parsed. */
  exchange(request: Buffer, isHead: boolean): Promise<CheckedAnswer>;
}

/**
 * As `Keep-Alive` announces, the server may close the connection after five seconds, perhaps just when the next request
 * is sent.
 */
const KEPT_MS = 3_000;

/** The time limit for a response, in milliseconds. */
const PATIENCE_MS = 60_000;

const EVENTS = 'text/event-stream';
const END_OF_HEADERS = Buffer.from('\r\n\r\n');

export function createKeptConnection(url: string): KeptConnection {
  const { hostname, port } = new URL(url);
  let open: Socket | undefined;
  let usedAt = 0;

  async function opened(): Promise<Socket> {
    const isFresh = performance.now() - usedAt < KEPT_MS;
    if (open?.writable && open.readable && isFresh) return open;
    open?.destroy();
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    // The reader gets the error.
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    open = socket;
    usedAt = performance.now();
    return socket;
  }

  return {
    open: async () => void (await opened()),
    async exchange(request, isHead) {
      const socket = await opened();
      const reading = readAnswer(socket, isHead);
      // A request that is refused before it was read completely may close the connection during the rest.
      socket.write(request, () => undefined);
      const { answer, rest } = await reading;
      usedAt = performance.now();
      const isStream = answer.headers.get('content-type') === EVENTS;
      // A stream goes on for seconds. Its first event is enough.
      const isLast = isStream || answer.headers.get('connection') === 'close';
      // A server that could not parse the request does not know that it was a HEAD.
      const mayHaveMore = isHead && isLast;
      if (rest.length > 0 && !mayHaveMore) throw new Error(`more than an answer: ${rest.toString('latin1')}`);
      if (isLast) {
        socket.destroy();
        open = undefined;
      }
      return answer;
    },
    [Symbol.dispose]: () => void open?.destroy(),
  };
}

interface Read {
  readonly answer: CheckedAnswer;
  readonly rest: Buffer;
}

function readAnswer(socket: Socket, isHead: boolean): Promise<Read> {
  const { promise, resolve, reject } = Promise.withResolvers<Read>();
  let received: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    try {
      const read = parse(received, isHead);
      if (read) resolve(read);
    } catch (error) {
      reject(error);
    }
  };
  const fail = () => reject(new Error(`no answer, but: ${JSON.stringify(received.toString('latin1'))}`));
  const timer = setTimeout(fail, PATIENCE_MS);
  socket.on('data', onData).on('close', fail);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('data', onData).off('close', fail);
  });
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(received: Buffer, isHead: boolean): Read | undefined {
  const end = received.indexOf(END_OF_HEADERS);
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Map(lines.map(field));
  if (Number.isNaN(status) || headers.size < lines.length) throw new Error(`unreadable: ${statusLine}`);
  const start = end + END_OF_HEADERS.length;
  if (!isHead && headers.get('content-type') === EVENTS) {
    const event = firstEvent(received, start);
    return event && { answer: { status, headers, body: UTF_8.decode(event) }, rest: Buffer.alloc(0) };
  }
  const length = isHead || status === 204 || status === 304 ? 0 : Number(headers.get('content-length'));
  if (Number.isNaN(length)) throw new Error(`no length: ${statusLine}`);
  const bodyEnd = start + length;
  if (received.length < bodyEnd) return undefined;
  const body = UTF_8.decode(received.subarray(bodyEnd - length, bodyEnd));
  return { answer: { status, headers, body }, rest: received.subarray(bodyEnd) };
}

/** Returns the first event of a stream, which is the first chunk of its body (RFC 9112 section 7.1), if it was received. */
function firstEvent(received: Buffer, start: number): Buffer | undefined {
  const lineEnd = received.indexOf('\r\n', start);
  const size = lineEnd === -1 ? Number.NaN : Number.parseInt(received.toString('latin1', start, lineEnd), 16);
  const end = lineEnd + 2 + size;
  return received.length < end + 2 || Number.isNaN(end) ? undefined : received.subarray(lineEnd + 2, end);
}

function field(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
