import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import {
  type ConnectionLimits,
  clientOf,
  createClientAddress,
  isProxy,
  latestResponse,
  limitBodyPieces,
  limitConnections,
  limitLateBody,
  listenAlongside,
  type RequestHandler,
  type TurnOptions,
  takeTurns,
} from '@gatehouse/front';
import type { LimitRecorder } from './client-limits.ts';
import { limitHeaderFields } from './header-fields.ts';
import { limitPipelining, PIPELINE_LIMITS, type PipelineLimits } from './pipelining.ts';
import { answerParseError, answerTunnel } from './raw-response.ts';
import { valuesOf } from './request.ts';

/**
 * In milliseconds. Node looks for requests that are late once in `checkEvery`. Slow headers end within 10 s, slow bodies
 * within 15 s.
 */
export const TIME_LIMITS = {
  headers: 9_000,
  /** The whole request, headers and body. */
  request: 14_000,
  /** Between an answer and the next request. */
  betweenRequests: 5_000,
  /** After an answer, for the rest of its request to come. */
  lateBody: 1_000,
  /** While nothing of an answer moves that is being sent: its client does not read. */
  standstill: 20_000,
  checkEvery: 50,
} as const;
export type TimeLimits = Readonly<Record<keyof typeof TIME_LIMITS, number>>;

export interface HttpServerOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Whether several sockets listen there, of this process and others: the system spreads connections over them. */
  readonly sharesPort?: boolean;
  readonly timeLimits?: Partial<TimeLimits>;
  /** None by default. */
  readonly connections?: ConnectionLimits;
  readonly pipelineLimits?: Partial<PipelineLimits>;
  readonly recordLimit?: LimitRecorder;
  /** Records what handles the requests. Not by default. */
  readonly traced?: ((handle: RequestHandler) => RequestHandler) | undefined;
}

/** No percent-encoding, so malformed to what handles the request. */
const MALFORMED_TARGET = '/%';

export type HttpServer = ReturnType<typeof createHttpServer>;

/** Has each request handled, and answers those of which there is nothing to handle. */
export function createHttpServer(handle: RequestHandler, options: HttpServerOptions) {
  const { host, port, sharesPort = false, connections, recordLimit = () => undefined, traced } = options;
  const pipelineLimits = { ...PIPELINE_LIMITS, ...options.pipelineLimits };
  const timeLimits = { ...TIME_LIMITS, ...options.timeLimits };
  const node = createServer({
    headersTimeout: timeLimits.headers,
    requestTimeout: timeLimits.request,
    keepAliveTimeout: timeLimits.betweenRequests,
    connectionsCheckingInterval: timeLimits.checkEvery,
    // Node's own refusal would have no body and no request id.
    requireHostHeader: false,
  });
  // A client may end its side once it has asked: the answer goes out, and then the connection ends.
  Object.assign(node, { httpAllowHalfOpen: true });
  node.timeout = timeLimits.standstill;
  const { awaitsTurn, inTurn, take } = takeTurns(node, turnsOf(connections));
  if (connections) limitConnections(node, connections, { exceeded: recordLimit, awaitsTurn });
  limitBodyPieces(node, () => recordLimit('body_pieces'));
  const sockets = new Set<Socket>();

  const handleInTurn = limitPipelining(node, pipelineLimits, {
    handle: limitHeaderFields(node, inTurn(traced ? traced(handle) : handle)),
    exceeded: () => recordLimit('pipelined_requests'),
    clientOf: (socket) => connections && clientOf(socket, connections),
  });
  node.on('request', (request: IncomingMessage, response: ServerResponse) => {
    take(request);
    // Node drops what came in one piece with a request to switch protocols: later answers would go to the
    // wrong requests.
    const isFaulty = hasFaultyFraming(request);
    if (isFaulty || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    limitLateBody(request, response, timeLimits.lateBody);
    if (!hasOneHost(request) || isFaulty) request.url = MALFORMED_TARGET;
    handleInTurn(request, response);
  });
  node.on('timeout', endUnlessAnswering);
  node.on('clientError', answerParseError);
  node.on('connect', (request: IncomingMessage) => {
    // Node has taken its own listener away.
    request.socket.on('timeout', () => endUnlessAnswering(request.socket));
    answerTunnel(request);
  });
  // An expectation that we do not know may be ignored (RFC 9110 section 10.1.1).
  node.on('checkExpectation', (request, response) => node.emit('request', request, response));
  node.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  const listening: NetServer[] = [node];
  return {
    node,
    /** All that listen, `node` among them. */
    listening,
    sockets,
    /** Rejects with what the system says, such as EADDRINUSE. */
    listen: async () => {
      await once(node.listen({ host, port, exclusive: !sharesPort, reusePort: sharesPort }), 'listening');
      if (sharesPort) listening.push(...(await listenAlongside(node)));
    },
    /** Where it can be reached from this machine, once it listens. */
    get url() {
      const { address, family, port: bound } = node.address() as AddressInfo;
      if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${bound}`;
      return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${bound}`;
    },
  };
}

/** Networks are clients. Without limits for connections, each connection is one. */
function turnsOf(connections: ConnectionLimits | undefined): TurnOptions {
  if (!connections) return { clientOf: (socket) => socket };
  const { except, networkOf } = connections;
  const clientAddress = createClientAddress(except);
  return {
    clientOf: (socket) => clientOf(socket, connections) ?? socket,
    proxies: except && {
      isProxy: (socket) => isProxy(socket, connections),
      clientOf: (request) => networkOf(clientAddress(request)),
    },
  };
}

/** Keeps a connection open while its response is being made. */
function endUnlessAnswering(socket: Socket): void {
  const latest = latestResponse(socket);
  const isAnswering = latest !== undefined && !latest.writableFinished && socket.writableLength === 0;
  if (isAnswering && !socket.destroyed) socket.setTimeout(socket.timeout ?? 0);
  else socket.destroy();
}

/** RFC 9112 section 3.2: one in HTTP/1.1, never two, and a host (RFC 3986 section 3.2.2) with a port or without. */
function hasOneHost(request: IncomingMessage): boolean {
  const hosts = valuesOf(request, 'host');
  if (hosts.length === 0) return request.httpVersionMinor === 0;
  return hosts.length === 1 && HOST.test(hosts[0] as string);
}

/** A comma, which a name may have by the letter, is where two were joined into one. */
const HOST = /^(?:\[[0-9A-Fa-fv:.]+\]|(?:[A-Za-z0-9._~!$&'()*+;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/;

/** RFC 9112 section 6.1: the end of such a request's body is ambiguous. */
function hasFaultyFraming({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined;
}
