import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer, Header } from './answer.ts';

/** Takes the text of a body that is written in parts. */
interface TextSink {
  write(text: string): void;
  /** The number of bytes that the connection has not taken yet. */
  unread(): number;
  end(): void;
}

/**
 * Writes a body in parts until it ends the sink. Resolves then. The signal is aborted when the client is gone; the
 * function then ends the sink soon.
 */
export type WriteText = (sink: TextSink, gone: AbortSignal) => Promise<void>;

const EVENTS: readonly Header[] = [
  ['content-type', 'text/event-stream'],
  // Without this header field, nginx does not send an event on before it has received several kilobytes.
  ['x-accel-buffering', 'no'],
];

/** Returns the answer with server-sent events. */
export function eventsAnswer(status: number, headers: readonly Header[], write: WriteText): Answer {
  return { status, headers: [...EVENTS, ...headers], body: null, stream: streamTo(write) };
}

/** A client that has closed only its side of the connection counts as gone, because it asks for nothing more. */
function streamTo(write: WriteText) {
  return async (response: ServerResponse): Promise<void> => {
    const closed = new AbortController();
    if (response.destroyed) closed.abort();
    response.on('close', () => closed.abort());
    const gone = AbortSignal.any([closed.signal, askedAll(response.req.socket)]);
    // Otherwise the headers would wait for the first part.
    response.flushHeaders();
    const sink: TextSink = {
      write: (text) => void response.write(text),
      unread: () => response.writableLength,
      end: () => void response.end(),
    };
    try {
      await write(sink, gone);
    } finally {
      response.end();
    }
  };
}

const ends = new WeakMap<Socket, AbortSignal>();

/**
 * Returns the signal that the client has closed its side of the connection. The streams of a connection share it,
 * because a client may ask for any number of them at once, and Node warns about many listeners.
 */
function askedAll(socket: Socket): AbortSignal {
  const known = ends.get(socket);
  if (known) return known;
  const ended = new AbortController();
  if (socket.readableEnded) ended.abort();
  socket.once('end', () => ended.abort());
  ends.set(socket, ended.signal);
  return ended.signal;
}
