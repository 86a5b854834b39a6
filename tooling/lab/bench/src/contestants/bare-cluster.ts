// The minimum cost of a response of several Node processes that share a port like the workers of Gatehouse: each opens it by
// itself, with SO_REUSEPORT.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { given, print } from './announce.ts';

const HOST = '127.0.0.1';

if (cluster.isPrimary) await startWorkers(Number(given('WORKERS')));
else answer(given('BODY'), Number(given('PORT')));

/** Opens a free port, and starts workers that open the same port. */
async function startWorkers(count: number): Promise<void> {
  const first = createServer();
  await once(first.listen({ host: HOST, port: 0 }), 'listening');
  const { port } = first.address() as AddressInfo;
  await once(first.close(), 'close');
  const workers = Array.from({ length: count }, () => cluster.fork({ PORT: `${port}` }));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  print({ url: `http://${HOST}:${port}` });
}

function answer(body: string, port: number): void {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  });
  server.listen({ host: HOST, port, reusePort: true }, () => process.send?.('listening'));
}
