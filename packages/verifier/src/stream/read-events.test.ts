import { expect, test } from 'vitest';
import { readEvents } from './read-events.ts';

async function* bytes(text: string, size: number) {
  const all = Buffer.from(text);
  for (let start = 0; start < all.length; start += size) yield all.subarray(start, start + size);
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string[]> {
  const events: string[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test.each([1, 2, 3, 7, 1000])('events are the same, however they are cut: %d bytes at once', async (size) => {
  const text = 'data: {"é":"€"}\n\n: comment\r\n\r\ndata: 2\r\n\r\ndata: cut';
  expect(await read(bytes(text, size))).toEqual(['{"é":"€"}', '2']);
});

test('a line that comes in small parts and never ends is refused', async () => {
  await expect(read(bytes(`data: ${'x'.repeat(600_000)}`, 10))).rejects.toThrow('too long');
});
