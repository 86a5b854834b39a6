import { expect, test } from 'vitest';
import { openRaw, sendRaw } from '../../testing/raw-http.ts';
import { serveWorld } from '../../testing/serve-world.ts';

const requestWith = (fields: number) => `GET /nope HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(fields - 1)}\r\n`;

test('a request may have 200 header fields', async () => {
  await using served = await serveWorld();
  using connection = await openRaw(served.url);
  connection.write(requestWith(200).repeat(2));
  expect((await connection.replies(2)).map(({ status }) => status)).toEqual([404, 404]);
});

test.each([201, 202, 999, 1_001, 3_000])(
  'one with %d is refused, and its connection closed',
  async (count) => {
    await using served = await serveWorld();
    const replies = await sendRaw(served.url, requestWith(2) + requestWith(count) + requestWith(2));
    expect(replies.map(({ status }) => status)).toEqual([404, 431]);
    expect(JSON.parse(replies[1]?.body ?? '')).toMatchObject({
      type: 'urn:gatehouse:problem:headers-too-large',
    });
    expect(replies[1]?.headers.get('connection')).toBe('close');
    expect(replies[1]?.headers.get('x-content-type-options')).toBe('nosniff');
  },
);
