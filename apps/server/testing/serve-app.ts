import type { H3 } from 'h3';
import { createHttpServer, type HttpServerOptions } from '../src/http/http-server.ts';

/** Serves an app at any free port of this machine. */
export async function serveApp(app: H3, options: Partial<HttpServerOptions> = {}) {
  const server = createHttpServer(app, { host: '127.0.0.1', port: 0, ...options });
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
