import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { monotonicMs } from './monotonic.ts';

/** Passes an event on, now, later or never. The event is the JSON of one line. */
export type CarryEvent = (event: string, pass: () => void) => void;

/** A stream of a server, as it arrives at the proxy. */
interface Upstream {
  readonly events: { readonly event: string; readonly afterMs: number }[];
  readonly readers: Set<(event: string) => void>;
  close(): void;
}

/** Carries streams of changes to a verifier, line by line. */
export interface StreamProxy {
  /** Answers a request for a stream. */
  open(request: IncomingMessage, response: ServerResponse): void;
  /** The events that the server has written on the newest stream, also those that were not passed on. */
  written(): readonly string[];
  /** Decides how events are passed on, from now on and on all streams. Default: at once. */
  carryEvents(carry: CarryEvent): void;
  /** Answers the next requests with a stream that another request has opened: from its first line on, and as far as it got. */
  join(now: boolean): void;
  /** Answers the next requests with all that the newest stream has told, at the same times after the request. */
  replay(now: boolean): void;
  /** Refuses new requests. */
  refuse(now: boolean): void;
  /** Cuts all connections to the verifier, and keeps those to the server if others may join them. */
  cutReaders(): void;
  /** Cuts all connections. */
  cutAll(): void;
  /** Cuts each connection this long after its request; undefined for never. */
  cutAfter(ms: number | undefined): void;
}

/** @param leadsTo returns the URL of the server for the next stream */
export function createStreamProxy(leadsTo: () => string): StreamProxy {
  const responses = new Set<ServerResponse>();
  const upstreams: Upstream[] = [];
  let carry: CarryEvent = (_, pass) => pass();
  let answers: 'forward' | 'join' | 'replay' | 'refuse' = 'forward';
  let cutAfterMs: number | undefined;

  function openUpstream(
    request: IncomingMessage,
    response: ServerResponse,
    onEvent: (event: string) => void,
  ) {
    const since = monotonicMs();
    const upstream: Upstream = { events: [], readers: new Set([onEvent]), close: () => asked.destroy() };
    upstreams.push(upstream);
    const asked = ask(new URL(request.url ?? '/', leadsTo()), { headers: request.headers, agent: false });
    asked.end();
    asked.on('error', () => response.destroy());
    asked.on('response', (answered) => {
      const { connection: _, 'transfer-encoding': __, ...headers } = answered.headers;
      response.writeHead(answered.statusCode ?? 502, headers);
      response.flushHeaders();
      answered.on('error', () => response.destroy());
      createInterface({ input: answered })
        .on('line', (line) => {
          if (!line.startsWith('data: ')) return;
          const event = line.slice('data: '.length);
          upstream.events.push({ event, afterMs: monotonicMs() - since });
          for (const reader of upstream.readers) reader(event);
        })
        .on('error', () => response.destroy())
        .on('close', () => response.end());
    });
    return upstream;
  }

  return {
    open(request, response) {
      if (answers === 'refuse') return void response.destroy();
      responses.add(response);
      const newest = upstreams.at(-1);
      const send = (event: string) => {
        carry(event, () => void (response.writable && response.write(`data: ${event}\n\n`)));
      };
      const timers = new Set<NodeJS.Timeout>();
      const later = (ms: number, call: () => void) => void timers.add(setTimeout(call, ms));
      if (cutAfterMs !== undefined) later(cutAfterMs, () => response.destroy());
      let leave: () => void;
      if (answers === 'forward' || !newest) {
        const own = openUpstream(request, response, send);
        leave = () => {
          own.readers.delete(send);
          // A stream that others join goes on without the request that opened it.
          if (answers !== 'join') own.close();
        };
      } else {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        response.flushHeaders();
        leave = () => newest.readers.delete(send);
        if (answers === 'join') {
          for (const { event } of newest.events) send(event);
          newest.readers.add(send);
        } else {
          for (const { event, afterMs } of newest.events) later(afterMs, () => send(event));
        }
      }
      response.on('close', () => {
        leave();
        responses.delete(response);
        for (const timer of timers) clearTimeout(timer);
      });
    },
    written: () => upstreams.at(-1)?.events.map(({ event }) => event) ?? [],
    carryEvents(next) {
      carry = next;
    },
    join(now) {
      answers = now ? 'join' : 'forward';
    },
    replay(now) {
      answers = now ? 'replay' : 'forward';
    },
    refuse(now) {
      answers = now ? 'refuse' : 'forward';
    },
    cutReaders() {
      for (const response of responses) response.destroy();
    },
    cutAll() {
      for (const response of responses) response.destroy();
      for (const { close } of upstreams) close();
    },
    cutAfter(ms) {
      cutAfterMs = ms;
    },
  };
}
