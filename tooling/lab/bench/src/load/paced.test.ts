import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { sendPaced } from './paced.ts';

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

const options = { connections: 4, rate: 1_000, seconds: 60, next: () => ({ path: '/', headers: {} }) };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('keeps sending to a server that does not answer, and waits for the responses when it is stopped', async () => {
  const stopping = new AbortController();
  const held: (() => void)[] = [];
  const url = await serve((_request, response) => {
    held.push(() => response.end());
    // All connections are taken: what is sent from now on waits for one.
    if (held.length === options.connections) stopping.abort();
    if (stopping.signal.aborted) for (const release of held.splice(0)) release();
  });
  const statuses: number[] = [];
  await sendPaced({
    ...options,
    url,
    stopped: stopping.signal,
    onResponse: (status) => statuses.push(status),
  });
  expect(statuses.length).toBeGreaterThanOrEqual(options.connections);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it('fails if a request is not answered', async () => {
  const url = await serve((request) => request.socket.destroy());
  const stopped = new AbortController().signal;
  await expect(sendPaced({ ...options, url, stopped, onResponse: () => undefined })).rejects.toThrow();
});
