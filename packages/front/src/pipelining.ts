import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createTurnOrder } from '@gatehouse/queues';
import type { Clients } from './clients.ts';
import { endAfter, noteResponse, responsesOn } from './responses.ts';

/**
 * The largest numbers of unanswered pipelined requests. A request is pipelined if it is read before the response to the
 * previous request of the same connection is written.
 */
export const PIPELINE_LIMITS = {
  perConnection: 32,
  /** The limit for all connections of a client together. */
  perClient: 1_024,
  perServer: 4_096,
  /**
   * The time that a client has to read the last responses after its connection has exceeded one of these limits, in
   * milliseconds. After that time, the connection is closed.
   */
  closeWithin: 20_000,
} as const;
export type PipelineLimits = Readonly<Record<keyof typeof PIPELINE_LIMITS, number>>;

/**
 * How long each turn of the event loop handles pipelined requests, in milliseconds. All requests that are not pipelined
 * are handled before them.
 */
const HANDLED_FOR_MS = 0.5;

interface PipeliningOptions {
  readonly handle: RequestListener;
  readonly exceeded: () => void;
  /** Finds the client of a connection. If undefined, there is no limit per client. */
  readonly clients: Clients | undefined;
}

interface PipelinedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The response to the previous request of the connection. It must be sent before the response to this request. */
  readonly before: ServerResponse;
}

/** The pipelined requests of one connection. */
interface Pipeline {
  readonly client: string | undefined;
  /** The number of requests that wait, are being handled, or have a response that is not written yet. */
  unanswered: number;
}

/**
 * Node's server attaches its parser to each connection. The member is not documented; pipelining.test.ts fails if Node
 * changes it.
 */
interface ParsedSocket extends Socket {
  readonly parser?: {
    onIncoming(request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean): number;
  };
}

/** If `onIncoming` returns this value, Node's parser (llhttp) ignores the rest of the data that it is parsing. */
const STOP_PARSING = 2;

/**
 * Limits pipelined requests, and handles them after all other requests. If a connection exceeds a limit, its further
 * requests are not parsed. The connection is closed when the requests that are being handled are answered. Without the
 * limits, Node would parse all requests in the 64 KiB that it reads at once, up to 1,600
 * (docs/adr/0023-pipelined-requests.md).
 */
export function limitPipelining(
  node: Server,
  limits: PipelineLimits,
  { handle, exceeded, clients }: PipeliningOptions,
): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const waiting = createTurnOrder<Pipeline, PipelinedRequest>();
  const ofClients = new Map<string, number>();
  let unanswered = 0;
  let isScheduled = false;

  function open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { client: clients?.ofConnection(socket), unanswered: 0 };
    pipelines.set(socket, pipeline);
    socket.once('close', () => {
      count(pipeline, -pipeline.unanswered);
      waiting.removeAll(pipeline);
    });
    return pipeline;
  }

  function count(pipeline: Pipeline, change: number): void {
    pipeline.unanswered += change;
    unanswered += change;
    if (pipeline.client === undefined) return;
    const ofClient = (ofClients.get(pipeline.client) ?? 0) + change;
    if (ofClient === 0) ofClients.delete(pipeline.client);
    else ofClients.set(pipeline.client, ofClient);
  }

  function isFull({ client, unanswered: ofConnection }: Pipeline): boolean {
    const ofClient = client === undefined ? 0 : (ofClients.get(client) ?? 0);
    return (
      ofConnection >= limits.perConnection || ofClient >= limits.perClient || unanswered >= limits.perServer
    );
  }

  function enqueue(pipelined: PipelinedRequest): void {
    const { request, response } = pipelined;
    const pipeline = pipelines.get(request.socket) ?? open(request.socket);
    waiting.add(pipeline, pipelined);
    count(pipeline, 1);
    response.once('finish', () => {
      if (!request.socket.destroyed) count(pipeline, -1);
    });
    schedule();
  }

  function schedule(): void {
    if (isScheduled || waiting.size() === 0) return;
    isScheduled = true;
    setImmediate(handleSome);
  }

  function handleSome(): void {
    isScheduled = false;
    const until = performance.now() + HANDLED_FOR_MS;
    do {
      const next = waiting.next();
      if (next) handle(next.request, next.response);
    } while (waiting.size() > 0 && performance.now() <= until);
    schedule();
  }

  node.on('connection', (socket: ParsedSocket) => {
    const { parser } = socket;
    if (typeof parser?.onIncoming !== 'function')
      throw new TypeError('this version of Node has an HTTP parser that Gatehouse does not support');
    const take = parser.onIncoming;
    const responses = responsesOn(socket);
    let isEnding = false;
    parser.onIncoming = (request, keepAlive) => {
      if (!isEnding) {
        const before = responses.latest;
        if (before === undefined || before.writableFinished) return take(request, keepAlive);
        const pipeline = pipelines.get(socket) ?? open(socket);
        if (!isFull(pipeline)) return take(request, keepAlive);
        isEnding = true;
        const [dropped] = waiting.removeAll(pipeline);
        endAfter(dropped?.before ?? before, socket, limits.closeWithin);
        exceeded();
      }
      // If `upgrade` were true, Node would stop reading the connection as HTTP.
      request.upgrade = false;
      return STOP_PARSING;
    };
  });

  return (request, response) => {
    const before = noteResponse(request.socket, response);
    if (before === undefined || before.writableFinished) handle(request, response);
    else enqueue({ request, response, before });
  };
}
