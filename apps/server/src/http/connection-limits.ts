import type { Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import type { NetworkOf } from '@gatehouse/domain';
import { waitsForClient } from './connections.ts';
import { plainAddress } from './plain-address.ts';

export interface ConnectionLimits {
  /** So many may be open at once. */
  readonly most: number;
  /** So many of one network may be open at once. */
  readonly perNetwork: number;
  /** Of which client an address is: the same for connections as for sign-ins. */
  readonly networkOf: NetworkOf;
  /** Proxies, which connect for many clients: not limited by themselves, and not closed for others. */
  readonly except?: BlockList | undefined;
}

/** Programs need few, and each connection that is busy costs the others time. */
const MOST_OF_ONE_ADDRESS = 500;

/** Of so many connections, how many one address may have unless it is set. */
export function connectionsOfOneAddress(most: number): number {
  return Math.min(MOST_OF_ONE_ADDRESS, Math.max(1, Math.floor(most / 4)));
}

function addressOf({ remoteAddress }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : plainAddress(remoteAddress);
}

/** The network of the client; undefined for a proxy, which connects for many. */
export function clientOf(socket: Socket, { except, networkOf }: ConnectionLimits): string | undefined {
  const address = addressOf(socket);
  if (address === undefined || except?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return undefined;
  return networkOf(address);
}

type Exceeded = (limit: 'connections' | 'connections_per_address', address: string) => void;

/**
 * Closes a connection of a network that has as many as it may have. When as many are open as may be, it closes for the
 * new one the oldest that waits for its client, of the network with most connections that has one; the new one if there
 * is none.
 */
export function limitConnections(node: Server, limits: ConnectionLimits, exceeded: Exceeded): void {
  const networks = new Map<string, Set<Socket>>();
  const open = new Set<Socket>();

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
    for (const [network, { size }] of networks) {
      if (found !== undefined && size <= found.of) continue;
      const socket = oldestThatWaits(network);
      if (socket !== undefined) found = { network, socket, of: size };
    }
    if (found === undefined) return false;
    // Not only when it has closed: others may come before.
    release(found.socket, found.network);
    found.socket.destroy();
    return true;
  }

  function oldestThatWaits(network: string): Socket | undefined {
    for (const socket of networks.get(network) ?? []) if (waitsForClient(socket)) return socket;
    return undefined;
  }

  node.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    // There is none once the client has broken off.
    if (address === undefined) return;
    const network = clientOf(socket, limits);
    if (network !== undefined && (networks.get(network)?.size ?? 0) >= limits.perNetwork) {
      exceeded('connections_per_address', address);
      socket.destroy();
      return;
    }
    if (open.size >= limits.most) {
      exceeded('connections', address);
      if (!makeRoom()) {
        socket.destroy();
        return;
      }
    }
    open.add(socket);
    if (network !== undefined) {
      const sockets = networks.get(network) ?? new Set();
      networks.set(network, sockets.add(socket));
    }
    socket.once('close', () => release(socket, network));
  });
}
