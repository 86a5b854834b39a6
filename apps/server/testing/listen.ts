import type { RequestListener } from 'node:http';
import { createHttpServer, type HttpServerOptions } from '../src/start/http-server.ts';

/** Serves at any free port of this machine. */
export async function listen(handle: RequestListener, options: Partial<HttpServerOptions> = {}) {
  const server = createHttpServer(handle, { host: '127.0.0.1', port: 0, ...options });
  await server.listen();
  return {
    url: server.url,
    server,
    async [Symbol.asyncDispose]() {
      server.node.closeAllConnections();
      server.node.close();
    },
  };
}
