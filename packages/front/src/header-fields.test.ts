import { expect, test } from 'vitest';
import { openRaw, sendRaw } from '../testing/raw-http.ts';
import { serveFront } from '../testing/serve-front.ts';

const requestWith = (fields: number) => `GET /nope HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(fields - 1)}\r\n`;

test('a request may have 200 header fields', async () => {
  await using served = await serveFront();
  using connection = await openRaw(served.url);
  connection.write(requestWith(200).repeat(2));
  expect((await connection.replies(2)).map(({ status }) => status)).toEqual([404, 404]);
});

test.each([201, 202, 999, 1_001, 3_000])(
  'one with %d is refused, and its connection closed',
  async (count) => {
    await using served = await serveFront();
    const replies = await sendRaw(served.url, requestWith(2) + requestWith(count) + requestWith(2));
    expect(replies.map(({ status }) => status)).toEqual([404, 431]);
    expect(replies[1]?.body).toBe('headers_too_large');
    expect(replies[1]?.headers.get('connection')).toBe('close');
  },
);
