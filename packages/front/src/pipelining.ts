import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createTurnOrder } from '@gatehouse/queues';
import type { Clients } from './clients.ts';
import { endAfter, noteResponse, responsesOn } from './responses.ts';

/**
 * The largest numbers of unanswered pipelined requests. A request is pipelined if it is read while the response to
 * the one before it on its connection is not written yet.
 */
export const PIPELINE_LIMITS = {
  perConnection: 32,
  /** The limit for all connections of one client together. */
  perClient: 1_024,
  perServer: 4_096,
  /** The time for the client of a connection beyond a limit to read its last responses, in milliseconds. */
  closeWithin: 20_000,
} as const;
export type PipelineLimits = Readonly<Record<keyof typeof PIPELINE_LIMITS, number>>;

/** The time for pipelined requests in each turn of the event loop, in milliseconds. All other requests go first. */
const HANDLED_FOR_MS = 0.5;

interface PipeliningOptions {
  readonly handle: RequestListener;
  readonly exceeded: () => void;
  /** Default: connections of one client are not counted together. */
  readonly clients: Clients | undefined;
}

interface PipelinedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The response that is sent before this one. */
  readonly before: ServerResponse;
}

/** The pipelined requests of one connection. */
interface Pipeline {
  readonly client: string | undefined;
  /** Waiting, being handled, or answered while the response is not written. */
  unanswered: number;
}

/** Node's server attaches its parser to each connection. That is undocumented: pipelining.test.ts pins it. */
interface ParsedSocket extends Socket {
  readonly parser?: {
    onIncoming(request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean): number;
  };
}

/** If `onIncoming` returns this, llhttp drops the rest of the piece that it parses. */
const STOP_PARSING = 2;

/**
 * Limits pipelined requests, and handles them after all other requests. If a connection has more than the limits allow, its
 * further requests are not even parsed, and it is closed once the requests that are being handled are answered. Without
 * this, Node parses all 64 KiB that it reads at once, which can be 1,600 requests (docs/adr/0023-pipelined-requests.md).
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
      // If this were true, Node would hand the connection over to another protocol.
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
