import { once } from 'node:events';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A database that accepts connections and never responds, for one test. */
export async function aSilentServer() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const settings = { DATABASE_URL: `postgres://127.0.0.1:${port}/gatehouse` };
  return { settings, connected: once(server, 'connection') };
}
