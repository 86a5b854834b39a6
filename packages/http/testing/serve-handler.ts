import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Keeps no line of a log. */
export const NO_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Serves at a free port of this machine, with nothing between Node and the handler. */
export async function serveHandler(handle: RequestListener) {
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** @param target sent as it is written */
    async ask(target: string, method = 'GET') {
      const asked = request({ port, host: '127.0.0.1', path: target, method }).end();
      const [response] = await once(asked, 'response');
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
