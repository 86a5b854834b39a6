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

/** The limits that close a client's connection. */
export type ConnectionLimit =
  | 'connections'
  | 'connections_per_address'
  | 'pipelined_requests'
  | 'body_pieces';

/** Called for each connection that is closed because of a limit, with the address of the client if it is known. */
export type LimitRecorder = (limit: ConnectionLimit, address?: string) => void;

export interface ProtectOptions {
  /** Makes the answers to requests that are refused before they reach the handler. */
  readonly refuse: Refuse;
  /**
   * Limits on connections. If undefined, connections are not limited, and each connection counts as a client of its
   * own.
   */
  readonly connections?: ConnectionLimits | undefined;
  readonly timeLimits?: Partial<TimeLimits> | undefined;
  readonly pipelineLimits?: Partial<PipelineLimits> | undefined;
  readonly recordLimit?: LimitRecorder | undefined;
}

/**
 * Creates an HTTP server that protects `handle` from floods, slow clients and requests that cannot be parsed. Such
 * requests are refused or delayed, and such connections are closed, before `handle` is called. README.md lists the
 * attack that each protection stops, and what it costs. `handle` itself has to refuse requests for which `isMalformed`
 * returns true.
 */
export function protect(handle: RequestListener, options: ProtectOptions): Server {
  const { refuse, connections, recordLimit = () => undefined } = options;
  const timeLimits = { ...TIME_LIMITS, ...options.timeLimits };
  const pipelineLimits = { ...PIPELINE_LIMITS, ...options.pipelineLimits };

  const server = createServer({
    // Node checks these time limits. If a request exceeds one of them, Node reports this as a parse error, which
    // `answerParseErrors` answers.
    headersTimeout: timeLimits.headers,
    requestTimeout: timeLimits.request,
    keepAliveTimeout: timeLimits.betweenRequests,
    connectionsCheckingInterval: timeLimits.checkEvery,
    // Node's own check of the `Host` header is off, because Node's refusal would have neither a body nor a request id.
    requireHostHeader: false,
  });
  // A client may close its side of the connection after its request. With this option, the server still sends the
  // response before it closes its own side.
  Object.assign(server, { httpAllowHalfOpen: true });

  // Protections that act on connections.
  const clients = connections && createClients(connections);
  const turns = takeTurns(server, clients);
  if (connections && clients)
    limitConnections(server, connections, { clients, exceeded: recordLimit, awaitsTurn: turns.awaitsTurn });
  limitStandstill(server, timeLimits.standstill);
  limitBodyPieces(server, () => recordLimit('body_pieces'));

  // Protections against input that Node cannot parse as a request.
  answerParseErrors(server, refuse);
  refuseTunnels(server, refuse);

  // Protections that act on requests. A request passes limitPipelining, then limitHeaderFields, then `turns.inTurn`.
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
  // A request with an unknown `Expect` header is handled as if it had none (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}
