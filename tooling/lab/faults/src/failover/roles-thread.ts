import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Answers the health checks of members as Patroni's `GET /primary` does: 200 for the primary alone. It runs in a thread
 * of its own, because a late answer takes the primary out.
 */
const primary = workerData as Int32Array;

const server = createServer(({ url }, response) => {
  response.writeHead(url === `/primary/${Atomics.load(primary, 0)}` ? 200 : 503).end();
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
