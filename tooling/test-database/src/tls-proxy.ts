import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { addressOf } from './address.ts';
import { createCertificates } from './certificates.ts';

/** A TLS-only proxy to the database, named `localhost`, as with `ssl = on` and `hostssl`. */
export interface TlsProxy extends AsyncDisposable {
  /** The URL without parameters. */
  readonly url: string;
  /** Files, like those of `Certificates`. */
  readonly ca: string;
  readonly otherCa: string;
}

/** The first message of a client that requests TLS (PostgreSQL's protocol, SSLRequest). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** @param certificate as `createCertificates` takes it */
export async function openTlsProxy(
  url: string,
  certificate?: Parameters<typeof createCertificates>[0],
): Promise<TlsProxy> {
  const certificates = await createCertificates(certificate);
  const { ca, otherCa } = certificates;
  const [cert, key] = await Promise.all([readFile(certificates.cert), readFile(certificates.key)]);
  const sockets = new Set<Socket>();
  const keep = <S extends Socket>(socket: S): S => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client).once('data', (first) => {
      if (!first.equals(SSL_REQUEST)) return client.destroy();
      client.write('S');
      const secure = keep(new TLSSocket(client, { isServer: true, cert, key }));
      const upstream = keep(connect(addressOf(url)));
      secure.pipe(upstream).pipe(secure);
      secure.on('close', () => upstream.destroy());
      upstream.on('close', () => secure.destroy());
      return secure;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  // The proxy provides TLS, so the embedded database's sslmode=disable must go.
  proxied.search = '';
  proxied.host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    ca,
    otherCa,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await certificates[Symbol.asyncDispose]();
    },
  };
}
