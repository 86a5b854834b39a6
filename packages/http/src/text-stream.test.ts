import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveHandler } from '../testing/serve-handler.ts';
import { eventsAnswer } from './text-stream.ts';

/** More than the number of listeners about which Node warns. */
const STREAMS = 12;

test('all streams of a connection end when the client closes its side, and share a listener', async () => {
  const warnings: string[] = [];
  const warned = ({ name }: Error) => void warnings.push(name);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const left: Promise<unknown>[] = [];
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  await using server = await serveHandler(async (_, response) => {
    const { stream } = eventsAnswer(200, [], async (sink, gone) => {
      const leaving = once(gone, 'abort');
      left.push(leaving);
      if (left.length === STREAMS) resolve();
      await leaving;
      sink.end();
    });
    await stream?.(response);
  });
  const { port } = new URL(server.url);
  const client = connect(Number(port), '127.0.0.1');
  client.resume();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(STREAMS));
  await opened;
  client.end();
  await Promise.all(left);
  await once(client, 'close');
  expect(warnings).toEqual([]);
});
