import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { addressOf } from '@gatehouse/test-database';

function message(type: string, text: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

const THE_END = message('E', 'SFATAL\0C57P01\0Mthe end\0\0');

/** A proxy to the database that can inject messages for its only client. */
export async function openInjectingProxy(url: string) {
  const sockets = new Set<Socket>();
  let upstream: Socket | undefined;
  let swallow: (() => void) | undefined;
  let suffix: Buffer = Buffer.alloc(0);
  let last: string | undefined;
  const server = createServer((client) => {
    const server = connect(addressOf(url));
    upstream = server;
    client.on('data', (chunk) => {
      if (last !== undefined && chunk.includes(last)) suffix = THE_END;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (!swallow) client.write(Buffer.concat([chunk, suffix]));
      swallow?.();
      swallow = undefined;
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    /** Runs a short statement on the newest connection, while its client is silent. */
    async inject(statement: string): Promise<void> {
      const answered = Promise.withResolvers<void>();
      swallow = answered.resolve;
      upstream?.write(message('Q', `${statement}\0`));
      await answered.promise;
    },
    /** From now on, each answer arrives together with the server's message that the session is terminated. */
    endWithAnswers() {
      suffix = THE_END;
    },
    /** The same, from the answer to a statement that contains this. */
    endWithAnswerTo(statement: string) {
      last = statement;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
