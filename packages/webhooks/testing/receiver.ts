import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly received: Received[];
  /** The number of connections that were made to it. */
  readonly connections: () => number;
}

/** Receives messages on a free port of this machine, with TLS if a key is given. */
export async function openReceiver(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  tls?: Pick<ServerOptions, 'key' | 'cert' | 'ciphers' | 'dhparam' | 'maxVersion'>,
): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const handle: RequestListener = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({
      method: request.method,
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
    });
    answer(response, request);
  };
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
