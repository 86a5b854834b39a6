import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf, type ClientOptions, type Clients } from './clients.ts';
import { waitsForClient } from './responses.ts';
import { createUnreadAnswers } from './unread-answers.ts';

export interface ConnectionLimits extends ClientOptions {
  /** The largest number of open connections. */
  readonly most: number;
  /** The largest number of open connections of one network. Connections of trusted proxies are not limited. */
  readonly perNetwork: number;
}

/**
 * The largest default for the connections of one address. A program needs few connections, and each busy connection
 * delays the requests of others.
 */
const MAX_PER_ADDRESS = 500;

/** Returns the default limit of connections per address: a quarter of all connections, and at most 500. */
export function connectionsOfOneAddress(most: number): number {
  return Math.min(MAX_PER_ADDRESS, Math.max(1, Math.floor(most / 4)));
}

interface ConnectionLimitOptions {
  readonly clients: Clients;
  /** Called for each connection that is closed because of a limit. */
  readonly exceeded: (limit: 'connections' | 'connections_per_address', address: string) => void;
  /**
   * Returns whether the connection is paused to give other clients a turn. Such a connection is not idle: its next
   * request may have arrived, but is not read yet.
   */
  readonly awaitsTurn: (socket: Socket) => boolean;
}

/** The time between two checks of unread responses, in milliseconds. */
const LOOK_AT_ANSWERS_EVERY = 250;

/**
 * Limits the open connections of each network and of the process. If a network has reached its limit, its new
 * connection is closed. If the process has reached its limit, an existing connection is closed to make room. Only two
 * kinds of connections can be closed: those that wait for a request of their client, and those whose client does not
 * read the response. The network with the most connections, among the networks that have such a connection, loses a
 * connection: its oldest connection of the first kind or, if it has none of that kind, of the second kind. If no connection can be
 * closed, the new connection is closed (ADR 28).
 */
export function limitConnections(
  node: Server,
  limits: Pick<ConnectionLimits, 'most' | 'perNetwork'>,
  { clients, exceeded, awaitsTurn }: ConnectionLimitOptions,
): void {
  const networks = new Map<string, Set<Socket>>();
  const open = new Set<Socket>();
  const unread = createUnreadAnswers();
  let looking: NodeJS.Timeout | undefined;

  /**
   * Records which clients read their responses. Called at intervals while at least half of the allowed connections are
   * open.
   */
  function lookAtAnswers(): void {
    if (open.size * 2 < limits.most) {
      clearInterval(looking);
      looking = undefined;
    } else {
      unread.look(open);
    }
  }

  function release(socket: Socket, network?: string): void {
    open.delete(socket);
    if (network === undefined) return;
    const sockets = networks.get(network);
    sockets?.delete(socket);
    if (sockets?.size === 0) networks.delete(network);
  }

  /** Closes a connection to make room for a new one. Returns false if no connection can be closed. */
  function makeRoom(): boolean {
    let found: { readonly network: string; readonly socket: Socket; readonly of: number } | undefined;
    for (const [network, sockets] of networks) {
      if (found !== undefined && sockets.size <= found.of) continue;
      const socket = firstToGiveWay(sockets);
      if (socket !== undefined) found = { network, socket, of: sockets.size };
    }
    if (found === undefined) return false;
    // The connection is no longer counted from now on, because new connections may arrive before its socket has closed.
    release(found.socket, found.network);
    // The connection is reset if it has unsent data. Otherwise the system would continue to send that data to a client
    // that does not read.
    if (found.socket.writableLength > 0) found.socket.resetAndDestroy();
    else found.socket.destroy();
    return true;
  }

  function firstToGiveWay(sockets: Iterable<Socket>): Socket | undefined {
    let stalled: Socket | undefined;
    for (const socket of sockets) {
      if (waitsForClient(socket) && !awaitsTurn(socket)) return socket;
      if (stalled === undefined && unread.isStalled(socket)) stalled = socket;
    }
    return stalled;
  }

  function admit(socket: Socket): boolean {
    const address = addressOf(socket);
    // If the client has closed the connection already, its address is unknown, and the connection need not be counted.
    if (address === undefined) return false;
    const network = clients.ofConnection(socket);
    if (network !== undefined && (networks.get(network)?.size ?? 0) >= limits.perNetwork) {
      exceeded('connections_per_address', address);
      return false;
    }
    if (open.size >= limits.most) {
      exceeded('connections', address);
      if (!makeRoom()) return false;
    }
    open.add(socket);
    if (open.size * 2 >= limits.most) looking ??= setInterval(lookAtAnswers, LOOK_AT_ANSWERS_EVERY).unref();
    if (network !== undefined) {
      const sockets = networks.get(network) ?? new Set();
      networks.set(network, sockets.add(socket));
    }
    socket.once('close', () => release(socket, network));
    return true;
  }

  node.on('connection', (socket: Socket) => {
    if (!admit(socket)) socket.destroy();
  });
}
