import { createServer, type RequestListener, type Server } from 'node:http';
import { limitBodyPieces } from './body-pieces.ts';
import { createClients } from './clients.ts';
import { type ConnectionLimits, limitConnections } from './connection-limits.ts';
import { closeAfterAmbiguousEnd } from './framing.ts';
import { limitHeaderFields } from './header-fields.ts';
import { answerParseErrors, refuseTunnels } from './parse-errors.ts';
import { limitPipelining, PIPELINE_LIMITS, type PipelineLimits } from './pipelining.ts';
import type { Refuse } from './refusals.ts';
import { limitLateBody, limitStandstill, TIME_LIMITS, type TimeLimits } from './time-limits.ts';
import { takeTurns } from './turns.ts';

/** A limit for which connections of clients are closed. */
export type ConnectionLimit =
  | 'connections'
  | 'connections_per_address'
  | 'pipelined_requests'
  | 'body_pieces';

/** Called for each connection that is closed because of a limit, with its client's address if that is known. */
export type LimitRecorder = (limit: ConnectionLimit, address?: string) => void;

export interface ProtectOptions {
  /** Makes the answers to requests that never reach the handler. */
  readonly refuse: Refuse;
  /** Limits on connections. Default: no limits, and each connection counts as a client. */
  readonly connections?: ConnectionLimits | undefined;
  readonly timeLimits?: Partial<TimeLimits> | undefined;
  readonly pipelineLimits?: Partial<PipelineLimits> | undefined;
  readonly recordLimit?: LimitRecorder | undefined;
}

/**
 * Makes an HTTP server with guards in front of `handle`. Floods, slow clients and requests that cannot be parsed are
 * refused, cut off or made to wait before `handle` is called. README.md lists the attack and the cost of each guard.
 * `handle` itself has to refuse requests that `isMalformed` finds: their host or their framing is faulty.
 */
export function protect(handle: RequestListener, options: ProtectOptions): Server {
  const { refuse, connections, recordLimit = () => undefined } = options;
  const timeLimits = { ...TIME_LIMITS, ...options.timeLimits };
  const pipelineLimits = { ...PIPELINE_LIMITS, ...options.pipelineLimits };

  const server = createServer({
    // Node keeps these limits. A request that exceeds one is answered as a parse error.
    headersTimeout: timeLimits.headers,
    requestTimeout: timeLimits.request,
    keepAliveTimeout: timeLimits.betweenRequests,
    connectionsCheckingInterval: timeLimits.checkEvery,
    // Node's check is off, because its refusal of a missing host would have neither body nor request id.
    requireHostHeader: false,
  });
  // A client may close its side of the connection after its request. The response is sent before the other side is closed.
  Object.assign(server, { httpAllowHalfOpen: true });

  // Guards of connections.
  const clients = connections && createClients(connections);
  const turns = takeTurns(server, clients);
  if (connections && clients)
    limitConnections(server, connections, { clients, exceeded: recordLimit, awaitsTurn: turns.awaitsTurn });
  limitStandstill(server, timeLimits.standstill);
  limitBodyPieces(server, () => recordLimit('body_pieces'));

  // Guards against input that Node cannot parse as a request.
  answerParseErrors(server, refuse);
  refuseTunnels(server, refuse);

  // Guards of requests, in the order in which a request passes them.
  const handleInTurn = limitPipelining(server, pipelineLimits, {
    handle: limitHeaderFields(server, refuse, turns.inTurn(handle)),
    exceeded: () => recordLimit('pipelined_requests'),
    clients,
  });
  server.on('request', (request, response) => {
    turns.take(request);
    closeAfterAmbiguousEnd(request, response);
    limitLateBody(request, response, timeLimits.lateBody);
    handleInTurn(request, response);
  });
  // An unknown expectation may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}
