import type { Server } from 'node:http';
import { type BlockList, isIPv6, type Socket } from 'node:net';
import { plainAddress } from './client-address.ts';
import { waitsForClient } from './responses.ts';
import { createUnreadAnswers } from './unread-answers.ts';

export interface ConnectionLimits {
  /** So many may be open at once. */
  readonly most: number;
  /** So many of one network may be open at once. */
  readonly perNetwork: number;
  /** Of which client an address is: the same for connections as for sign-ins. */
  readonly networkOf: (address: string) => string;
  /** Proxies, which connect for many clients: not limited by themselves, and not closed for others. */
  readonly except?: BlockList | undefined;
}

/** Programs need few, and each connection that is busy costs the others time. */
const MAX_PER_ADDRESS = 500;

/** Of so many connections, how many one address may have unless it is set. */
export function connectionsOfOneAddress(most: number): number {
  return Math.min(MAX_PER_ADDRESS, Math.max(1, Math.floor(most / 4)));
}

function addressOf({ remoteAddress }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : plainAddress(remoteAddress);
}

/** Whether it is a proxy, which connects for many clients. */
export function isProxy(socket: Socket, { except }: ConnectionLimits): boolean {
  const address = addressOf(socket);
  return address !== undefined && except?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') === true;
}

/** The network of the client; undefined for a proxy. */
export function clientOf(socket: Socket, limits: ConnectionLimits): string | undefined {
  const address = addressOf(socket);
  return address === undefined || isProxy(socket, limits) ? undefined : limits.networkOf(address);
}

interface ConnectionLimitOptions {
  /** Told of each connection that is closed. */
  readonly exceeded: (limit: 'connections' | 'connections_per_address', address: string) => void;
  /** Whether a connection is not read from because others are: it may have its next request already. */
  readonly awaitsTurn: (socket: Socket) => boolean;
}

/** In milliseconds. */
const LOOK_AT_ANSWERS_EVERY = 250;

/**
 * Closes a connection of a network that has as many as it may have. When as many are open as may be, one gives way to
 * the new one, of the network with most connections that has such a one: the oldest that waits for its client, or else
 * the oldest whose client does not read its answer. If none does, the new one is closed.
 */
export function limitConnections(
  node: Server,
  limits: ConnectionLimits,
  { exceeded, awaitsTurn }: ConnectionLimitOptions,
): void {
  const networks = new Map<string, Set<Socket>>();
  const open = new Set<Socket>();
  const unread = createUnreadAnswers();
  let looking: NodeJS.Timeout | undefined;

  /** While connections may soon have to give way. */
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

  /** Whether there is room now. */
  function makeRoom(): boolean {
    let found: { readonly network: string; readonly socket: Socket; readonly of: number } | undefined;
    for (const [network, sockets] of networks) {
      if (found !== undefined && sockets.size <= found.of) continue;
      const socket = firstToGiveWay(sockets);
      if (socket !== undefined) found = { network, socket, of: sockets.size };
    }
    if (found === undefined) return false;
    // Not only when it has closed: others may come before.
    release(found.socket, found.network);
    // The system would go on sending what is not read.
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
    // There is none once the client has broken off, and so no client to count its requests for.
    if (address === undefined) return false;
    const network = clientOf(socket, limits);
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
