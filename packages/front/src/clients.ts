import type { IncomingMessage } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { createClientAddress, isAmong, plainAddress } from './client-address.ts';

export interface ClientOptions {
  /** Returns the network that counts as one client. */
  readonly networkOf: (address: string) => string;
  /** Trusted proxies, which connect for many clients. */
  readonly except?: BlockList | undefined;
}

export type Clients = ReturnType<typeof createClients>;

/** Finds out which client a connection or request belongs to. A client is a network. */
export function createClients({ networkOf, except }: ClientOptions) {
  const clientAddress = createClientAddress(except);
  const isProxy = (socket: Socket) => {
    const address = addressOf(socket);
    return address !== undefined && except !== undefined && isAmong(except, address);
  };
  return {
    /** The client of all requests on a connection; undefined for a proxy's, and for a client that has left. */
    ofConnection(socket: Socket): string | undefined {
      const address = addressOf(socket);
      return address === undefined || isProxy(socket) ? undefined : networkOf(address);
    },
    /** The client of a request, which may have come through a proxy. */
    ofRequest: (request: IncomingMessage) => networkOf(clientAddress(request)),
    /** Whether a trusted proxy opened the connection, which then carries requests of many clients. Undefined without proxies. */
    isProxy: except && isProxy,
  };
}

/** The IP address of the other end of a connection; undefined once it has left. */
export function addressOf({ remoteAddress }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : plainAddress(remoteAddress);
}
