import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived at the service. */
export interface Received {
  readonly method: string;
  readonly url: string;
  /** Names and values, as they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Starts a service behind a gateway. Unless `answer` says otherwise, it answers 200 to everything. */
export async function startEchoService(answer: (response: ServerResponse) => void = () => undefined) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', rawHeaders } = request;
    const headers = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
    );
    received.push({ method, url, headers, body: await text(request) });
    answer(response);
    response.end('from the service');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
