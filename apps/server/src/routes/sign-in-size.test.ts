import { GOOD } from '@gatehouse/domain/testing';
import { sendRaw } from '@gatehouse/front/testing';
import { describe, expect, it } from 'vitest';
import { problemOf, SIGN_IN_PATH } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

describe('a body over 16 KiB', () => {
  const head = (more: string) =>
    `POST ${SIGN_IN_PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n${more}\r\n\r\n`;
  const padded = (size: number) => JSON.stringify(GOOD).padEnd(size);

  it('is refused, one of 16 KiB is not', async () => {
    await using scene = await startTestServer();
    expect((await scene.post(padded(16_384), 'application/json')).status).toBe(200);
    expect(problemOf(await scene.post(padded(16_385), 'application/json'))).toEqual([413, 'body-too-large']);
  });

  it('is refused in the same way when it is sent in chunks', async () => {
    await using scene = await startTestServer();
    const chunks = (size: number) =>
      new ReadableStream({
        start(controller) {
          const bytes = Buffer.from(padded(size));
          for (let at = 0; at < size; at += 1000) controller.enqueue(bytes.subarray(at, at + 1000));
          controller.close();
        },
      });
    const post = (size: number) =>
      fetch(`${scene.url}${SIGN_IN_PATH}`, {
        method: 'POST',
        body: chunks(size),
        headers: { 'content-type': 'application/json' },
        duplex: 'half',
      });
    expect((await post(16_384)).status).toBe(200);
    expect((await post(16_385)).status).toBe(413);
  });

  it('is refused at once by its announced length, and while it still comes', async () => {
    await using scene = await startTestServer();
    expect(await sendRaw(scene.url, head('Content-Length: 1000000000'))).toMatchObject([{ status: 413 }]);
    const chunk = `4100\r\n${' '.repeat(0x4100)}\r\n`;
    const endless = await sendRaw(scene.url, head('Transfer-Encoding: chunked') + chunk);
    expect(endless).toMatchObject([{ status: 413 }]);
  });
});
