import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { webhookSenderContract } from '@gatehouse/domain/testing/contracts';
import { createCertificates, hasOpenSsl } from '@gatehouse/test-database';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { openReceiver } from '../testing/receiver.ts';
import { createNetworks } from './networks.ts';
import type { Resolve } from './resolve-by-dns.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';

const LOOPBACK = createNetworks(['127.0.0.0/8', '::1/128']);
const OPEN = { networks: LOOPBACK, allowHttp: true };
const toLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

const send = (url: string, options: Partial<WebhookSenderOptions> = {}) =>
  createWebhookSender({ ...OPEN, ...options }).send({ url, headers: { 'webhook-id': 'msg_1' }, body: '{}' });

webhookSenderContract('node:http', async () => {
  let next: { readonly status: number; readonly retryAfter?: string } = { status: 204 };
  const receiver = await openReceiver((response) => {
    const headers = {
      location: 'http://127.0.0.1/',
      ...(next.retryAfter !== undefined && { 'retry-after': next.retryAfter }),
    };
    response.writeHead(next.status, headers).end();
  });
  return {
    sender: createWebhookSender(OPEN),
    url: `http://127.0.0.1:${receiver.port}/`,
    answer(answer) {
      next = answer;
    },
    received: () => receiver.received,
    close: async () => receiver[Symbol.asyncDispose](),
  };
});

describe('a message', () => {
  test('is verified by the library of Standard Webhooks', async () => {
    await using receiver = await openReceiver((response) => response.writeHead(200).end());
    const secrets = createWebhookSecrets();
    const secret = secrets.create();
    const body = JSON.stringify({ type: 'token.created', data: { name: 'Schlüssel' } });
    const timestamp = `${Math.floor(Date.now() / 1000)}`;
    const headers = {
      'webhook-id': 'msg_1_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${secrets.sign(secret, `msg_1_1.${timestamp}.${body}`)}`,
    };
    const url = `http://127.0.0.1:${receiver.port}/`;
    await createWebhookSender(OPEN).send({ url, headers, body });
    const [got] = receiver.received;
    const verified = new Webhook(secrets.textOf(secret)).verify(
      got?.body ?? '',
      got?.headers as Record<string, string>,
    );
    expect(verified).toEqual(JSON.parse(body));
  });

  test('is not sent to a name that has an inner address among others', async () => {
    await using receiver = await openReceiver((response) => response.writeHead(200).end());
    const resolve: Resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const sent = await send(`http://hooks.example:${receiver.port}/`, { resolve, networks: undefined });
    expect(sent).toEqual({ kind: 'failed', problem: 'address_refused' });
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1%lo',
    '169.254.169.254',
    'no address',
  ])('is not sent to a name whose address is %s', async (address) => {
    const resolve: Resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
    const sent = await send('http://hooks.example/', { resolve, networks: undefined });
    expect(sent).toEqual({ kind: 'failed', problem: 'address_refused' });
  });

  test('goes to the address that was checked, although the name has another one a moment later', async () => {
    await using receiver = await openReceiver((response) => response.writeHead(200).end());
    const resolve = vi
      .fn<Resolve>(async () => [{ address: '169.254.169.254', family: 4 }])
      .mockImplementationOnce(toLoopback);
    const url = `http://hooks.example:${receiver.port}/`;
    const sender = createWebhookSender({ ...OPEN, resolve });
    const message = { url, headers: {}, body: '{}' };
    expect(await sender.send(message)).toEqual({ kind: 'answered', status: 200 });
    expect(resolve).toHaveBeenCalledTimes(1);
    // The next message is checked anew: no connection is kept.
    expect(await sender.send(message)).toEqual({ kind: 'failed', problem: 'address_refused' });
    expect(receiver.received).toHaveLength(1);
  });

  test('does not follow a redirect, also not to where it came from', async () => {
    await using receiver = await openReceiver((response) =>
      response.writeHead(307, { location: '/again' }).end(),
    );
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toEqual({ kind: 'answered', status: 307 });
    expect(receiver.received).toHaveLength(1);
  });

  test('is not sent by http, or to an opened network, once the operator forbids it', async () => {
    await using receiver = await openReceiver((response) => response.writeHead(200).end());
    const url = `http://127.0.0.1:${receiver.port}/`;
    const refused = { kind: 'failed', problem: 'address_refused' };
    expect(await send(url, { allowHttp: false })).toEqual(refused);
    expect(await send(url, { networks: undefined })).toEqual(refused);
    expect(receiver.connections()).toBe(0);
  });

  test('never goes through a proxy', async () => {
    await using receiver = await openReceiver((response) => response.writeHead(204).end());
    await using proxy = await openReceiver((response) => response.writeHead(200).end());
    const address = `http://127.0.0.1:${proxy.port}`;
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, address);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toEqual({ kind: 'answered', status: 204 });
    expect(proxy.connections()).toBe(0);
  });
});

/** A limit that a busy machine may exceed a little. */
async function inTime(sending: Promise<unknown>) {
  const begun = performance.now();
  const sent = await sending;
  expect(performance.now() - begun).toBeLessThan(5000);
  return sent;
}

describe('an answer', () => {
  test('that never comes ends at the limit, and so does one that comes byte by byte', async () => {
    const timedOut = { kind: 'failed', problem: 'timed_out' };
    await using silent = await openReceiver(() => undefined);
    expect(await inTime(send(`http://127.0.0.1:${silent.port}/`, { limitMs: 200 }))).toEqual(timedOut);
    const trickle = createServer((socket) => {
      socket.on('error', () => undefined);
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => trickle.listen(0, '127.0.0.1', resolve));
    const { port } = trickle.address() as AddressInfo;
    const sent = (await inTime(send(`http://127.0.0.1:${port}/`, { limitMs: 200 }))) as { problem?: string };
    // One letter after the other is no HTTP: the parser may notice before the limit.
    expect(['timed_out', 'answer_malformed']).toContain(sent.problem);
    trickle.close();
  });

  test('of a resolver that never comes ends at the limit', async () => {
    const resolve: Resolve = () => new Promise(() => undefined);
    const sent = await inTime(send('http://hooks.example/', { resolve, limitMs: 200 }));
    expect(sent).toEqual({ kind: 'failed', problem: 'timed_out' });
  });

  test('without an end is not read', async () => {
    let written = 0;
    let closed: () => void = () => undefined;
    const end = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await using receiver = await openReceiver((response) => {
      response.writeHead(200);
      const pump = () => {
        while (response.write('x'.repeat(65_536))) written += 65_536;
      };
      response.on('drain', pump);
      response.on('close', closed);
      pump();
    });
    expect(await inTime(send(`http://127.0.0.1:${receiver.port}/`))).toEqual({
      kind: 'answered',
      status: 200,
    });
    await end;
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ['HTTP/1.1 102 Processing\r\n\r\n'],
    ['HTTP/1.1 100 Continue\r\n\r\n'],
    ['HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n'],
    ['\r\n'],
  ])('that does not come after an endless beginning (%j) is malformed at once', async (text) => {
    let written = 0;
    const flood = createServer((socket) => {
      const pump = () => {
        while (socket.write(text.repeat(1000))) written += 1000 * text.length;
      };
      socket.on('error', () => undefined);
      socket.once('data', pump).on('drain', pump);
    });
    await new Promise<void>((resolve) => flood.listen(0, '127.0.0.1', resolve));
    const { port } = flood.address() as AddressInfo;
    const sent = await send(`http://127.0.0.1:${port}/`);
    expect(sent).toEqual({ kind: 'failed', problem: 'answer_malformed' });
    expect(written).toBeLessThan(64 * 1024 * 1024);
    flood.close();
  });

  test('may have some interim responses before it', async () => {
    await using receiver = await openReceiver((response) => {
      for (let times = 0; times < 10; times += 1) response.writeProcessing();
      response.writeHead(204).end();
    });
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toEqual({ kind: 'answered', status: 204 });
  });

  test('that wants another protocol ends the connection at once', async () => {
    const upgrade = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      );
      socket.on('close', () => upgrade.close());
    });
    const closed = new Promise<void>((resolve) => upgrade.on('close', () => resolve()));
    await new Promise<void>((resolve) => upgrade.listen(0, '127.0.0.1', resolve));
    const { port } = upgrade.address() as AddressInfo;
    expect(await inTime(send(`http://127.0.0.1:${port}/`))).toEqual({ kind: 'answered', status: 101 });
    await closed;
  });

  test('that is no HTTP, or has too many headers, is malformed', async () => {
    const malformed = { kind: 'failed', problem: 'answer_malformed' };
    const garbage = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('SSH-2.0-OpenSSH_9.9\r\n\r\n');
    });
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    expect(await send(`http://127.0.0.1:${(garbage.address() as AddressInfo).port}/`)).toEqual(malformed);
    garbage.close();
    await using large = await openReceiver((response) =>
      response.writeHead(200, { filler: 'x'.repeat(20_000) }).end(),
    );
    expect(await send(`http://127.0.0.1:${large.port}/`)).toEqual(malformed);
  });

  test('does not come from a port where no program listens, or for a name that does not exist', async () => {
    const receiver = await openReceiver(() => undefined);
    const { port } = receiver;
    await receiver[Symbol.asyncDispose]();
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'failed', problem: 'connection_failed' });
    const failed = { kind: 'failed', problem: 'dns_failed' };
    const resolve: Resolve = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await send('http://hooks.example/', { resolve })).toEqual(failed);
    expect(await send('http://hooks.example/', { resolve: async () => [] })).toEqual(failed);
  });
});

describe.skipIf(!hasOpenSsl)('with TLS', () => {
  test('a receiver needs a certificate of its name, by an authority that is trusted', async () => {
    await using certificates = await createCertificates();
    const [key, cert, ca, otherCa] = await Promise.all(
      [certificates.key, certificates.cert, certificates.ca, certificates.otherCa].map((file) =>
        readFile(file, 'utf8'),
      ),
    );
    await using receiver = await openReceiver((response) => response.writeHead(204).end(), { key, cert });
    const to = (host: string, trusted?: string) =>
      send(`https://${host}:${receiver.port}/`, {
        resolve: toLoopback,
        ...(trusted !== undefined && { ca: trusted }),
      });
    const failed = { kind: 'failed', problem: 'tls_failed' };
    expect(await to('localhost', ca)).toEqual({ kind: 'answered', status: 204 });
    expect(await to('hooks.example', ca)).toEqual(failed);
    expect(await to('localhost', otherCa)).toEqual(failed);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect(await to('localhost')).toEqual(failed);
    expect(receiver.received).toHaveLength(1);
  });

  test('each message verifies the receiver anew, and once', async () => {
    await using certificates = await createCertificates();
    const [key, cert] = await Promise.all(
      [certificates.key, certificates.cert].map((file) => readFile(file, 'utf8')),
    );
    const ca = await readFile(certificates.ca, 'utf8');
    const isReused: boolean[] = [];
    let renegotiations = 0;
    const server = createTlsServer({ key, cert, maxVersion: 'TLSv1.2' }, (socket) => {
      isReused.push(socket.isSessionReused() === true);
      const again = () => {
        socket.renegotiate({}, (error) => {
          if (!error) renegotiations += 1;
          if (error || renegotiations > 20) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
          else again();
        });
      };
      socket.on('error', () => undefined).once('data', again);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const sender = createWebhookSender({ ...OPEN, ca, resolve: toLoopback });
    const message = { url: `https://localhost:${port}/`, headers: {}, body: '{}' };
    for (let times = 0; times < 2; times += 1) await inTime(sender.send(message));
    expect([isReused, renegotiations]).toEqual([[false, false], 0]);
    server.close();
  });

  test('a receiver does not choose a handshake that takes long', async () => {
    await using certificates = await createCertificates({ isRsa: true });
    const [key, cert] = await Promise.all(
      [certificates.key, certificates.cert].map((file) => readFile(file, 'utf8')),
    );
    const ca = await readFile(certificates.ca, 'utf8');
    const receiver = { key, cert, maxVersion: 'TLSv1.2', dhparam: 'auto' } as const;
    const to = async (ciphers: string) => {
      await using opened = await openReceiver((response) => response.writeHead(204).end(), {
        ...receiver,
        ciphers,
      });
      return await send(`https://localhost:${opened.port}/`, { resolve: toLoopback, ca });
    };
    expect(await to('ECDHE-RSA-AES128-GCM-SHA256')).toEqual({ kind: 'answered', status: 204 });
    expect(await to('DHE-RSA-AES128-GCM-SHA256')).toEqual({ kind: 'failed', problem: 'tls_failed' });
  });
});
