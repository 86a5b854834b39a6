import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { addressOf } from './address.ts';

const run = promisify(execFile);

/** Whether certificates can be created on this machine. */
export const hasOpenSsl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);

/** A TLS-only proxy to the database, named `localhost`, as with `ssl = on` and `hostssl`. */
export interface TlsProxy extends AsyncDisposable {
  /** The URL without parameters. */
  readonly url: string;
  /** The certificate file of the authority that signed the server's certificate, and that of another authority. */
  readonly ca: string;
  readonly otherCa: string;
}

/** The first message of a client that asks for TLS (PostgreSQL's protocol, SSLRequest). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export async function openTlsProxy(url: string): Promise<TlsProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'));
  const [cert, key] = await makeCertificates(folder);
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
    ca: join(folder, 'ca.pem'),
    otherCa: join(folder, 'other-ca.pem'),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(folder, { recursive: true });
    },
  };
}

async function makeCertificates(folder: string) {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other-ca']) {
    const self = ['req', '-x509', '-days', '1', '-subj', `/CN=${name}`, '-keyout', `${name}.key`];
    await openssl(...self, ...newKey, '-out', `${name}.pem`);
  }
  await openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', 'server.key', '-out', 'server.csr');
  await writeFile(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '1'];
  await openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.pem');
  return Promise.all(['server.pem', 'server.key'].map((name) => readFile(join(folder, name))));
}
