import { expect, test } from 'vitest';
import { sendRaw } from '../testing/raw-http.ts';
import { serveFront } from '../testing/serve-front.ts';

const NEXT = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('a request to switch protocols is the last of its connection: no later response is taken for another', async () => {
  await using served = await serveFront();
  const upgrade = 'GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
  const [reply, ...more] = await sendRaw(served.url, upgrade + NEXT);
  expect([reply?.status, reply?.headers.get('connection'), more]).toEqual([404, 'close', []]);
});

test('HTTP/1.0 has no chunks: a request with them is malformed, and what follows is not taken for a request', async () => {
  await using served = await serveFront();
  const head = 'POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n';
  const [reply, ...more] = await sendRaw(served.url, `${head}0\r\n\r\n${NEXT}`);
  expect([reply?.status, reply?.body, more]).toEqual([400, 'malformed_request', []]);
});

test.each([
  ['Host: x', 200],
  ['Host: x:80', 200],
  ['Host: [::1]:80', 200],
  ['Host:', 200],
  ['', 400],
  ['Host: x\r\nHost: x', 400],
  ['Host: x, y', 400],
  ['Host: x/y', 400],
  ['Host: x:y', 400],
])('a request with "%s" is answered %d', async (host, status) => {
  await using served = await serveFront();
  const fields = [host, 'Connection: close'].filter((field) => field !== '').join('\r\n');
  const [reply] = await sendRaw(served.url, `GET / HTTP/1.1\r\n${fields}\r\n\r\n`);
  expect(reply?.status).toBe(status);
});

test('a request of HTTP/1.0 needs no host', async () => {
  await using served = await serveFront();
  expect(await sendRaw(served.url, 'GET / HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 200 }]);
});
