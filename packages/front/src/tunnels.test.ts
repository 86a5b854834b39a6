import { expect, test } from 'vitest';
import { openRaw, sendRaw } from '../testing/raw-http.ts';
import { HELD, serveFront } from '../testing/serve-front.ts';

test('a client that asked for a tunnel may break off: the server goes on', async () => {
  await using served = await serveFront();
  using connection = await openRaw(served.url);
  connection.write(`GET ${HELD} HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await expect.poll(() => [...served.server.sockets].some((socket) => socket.bytesRead > 0)).toBe(true);
  connection.socket.resetAndDestroy();
  served.letGo();
  await expect.poll(() => served.server.sockets.size).toBe(0);
  expect(await sendRaw(served.url, 'GET /nope HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 404 }]);
});
