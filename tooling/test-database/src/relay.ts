import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { addressOf } from './address.ts';

export interface RelayOptions {
  /** Returns the URL of the server for a new connection; only host and port matter. */
  readonly leadsTo?: () => string;
  /** Returns whether to accept a connection. */
  readonly accepts?: () => boolean;
  /** Forwards a chunk, now, later, changed or never. */
  readonly carry?: (pass: () => void, chunk: Chunk) => void;
  /** Forwards the end of one side, now or later. */
  readonly carryClose?: (pass: () => void) => void;
}

interface Chunk {
  readonly bytes: Buffer;
  readonly isRequest: boolean;
  readonly to: Socket;
}

export interface Relay extends AsyncDisposable {
  readonly url: string;
  /** Stops reading from either side of all connections. */
  stall(): void;
  /** Destroys all connections. */
  cutAll(): void;
}

const atOnce = (pass: () => void) => pass();

/** Starts a relay to a database at an address of its own. */
export async function openRelay(url: string, options: RelayOptions = {}): Promise<Relay> {
  const { leadsTo = () => url, accepts = () => true, carry = atOnce, carryClose = atOnce } = options;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (!accepts()) return client.destroy();
    const upstream = connect(addressOf(leadsTo()));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      const isRequest = from === client;
      from.on('data', (bytes: Buffer) => carry(() => to.write(bytes), { bytes, isRequest, to }));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        carryClose(() => to.destroy());
      });
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relayed = new URL(url);
  relayed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: relayed.href,
    cutAll,
    stall() {
      for (const socket of sockets) socket.pause();
    },
    async [Symbol.asyncDispose]() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
