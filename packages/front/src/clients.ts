import type { IncomingMessage } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { createClientAddress, isAmong, plainAddress } from './client-address.ts';

export interface ClientOptions {
  /** Returns the network of an address. All addresses of a network count as the same client. */
  readonly networkOf: (address: string) => string;
  /**
   * The addresses of trusted proxies. A proxy sends requests of many clients, so its address does not identify a
   * client.
   */
  readonly except?: BlockList | undefined;
}

export type Clients = ReturnType<typeof createClients>;

/** Creates the functions that find the client of a connection or a request. A client is identified by its network. */
export function createClients({ networkOf, except }: ClientOptions) {
  const clientAddress = createClientAddress(except);
  const isProxy = (socket: Socket) => {
    const address = addressOf(socket);
    return address !== undefined && except !== undefined && isAmong(except, address);
  };
  return {
    /**
     * Returns the client of all requests on a connection. Undefined if a trusted proxy opened the connection, or if the
     * client has closed it.
     */
    ofConnection(socket: Socket): string | undefined {
      const address = addressOf(socket);
      return address === undefined || isProxy(socket) ? undefined : networkOf(address);
    },
    /** Returns the client of a request, also if the request came through a trusted proxy. */
    ofRequest: (request: IncomingMessage) => networkOf(clientAddress(request)),
    /**
     * Returns whether a trusted proxy opened the connection, which then has requests of many clients. The member is
     * undefined if there are no trusted proxies.
     */
    isProxy: except && isProxy,
  };
}

/** Returns the IP address of the other end of a connection; undefined if the other end has closed the connection. */
export function addressOf({ remoteAddress }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : plainAddress(remoteAddress);
}
