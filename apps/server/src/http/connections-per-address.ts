import type { Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import type { NetworkOf } from '@gatehouse/domain';
import { plainAddress } from './plain-address.ts';

export interface AddressLimit {
  /** So many connections of one address (an IPv6 /64 counts as one) may be open at once. */
  readonly most: number;
  /** Of which client an address is: the same for connections as for sign-ins. */
  readonly networkOf: NetworkOf;
  /** Proxies, which connect for many clients: not limited. */
  readonly except?: BlockList | undefined;
}

/** Closes connections of an address that has as many as it may have, as they come. */
export function limitConnectionsPerAddress(
  node: Server,
  { most, networkOf, except }: AddressLimit,
  exceeded: (address: string) => void,
): void {
  const open = new Map<string, number>();
  node.on('connection', (socket: Socket) => {
    // There is none once the client has broken off.
    if (socket.remoteAddress === undefined) return;
    const address = plainAddress(socket.remoteAddress);
    if (except?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= most) {
      exceeded(address);
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
