import { once } from 'node:events';
import { connect } from 'node:net';
import { LISTENING_SOCKETS } from '@gatehouse/front';
import { expect, test } from 'vitest';
import { drain } from './drain.ts';
import { createHttpServer } from './http-server.ts';

const CONNECTIONS = 200;

async function listen(sharesPort: boolean) {
  const server = createHttpServer((_, response) => response.end('here'), {
    host: '127.0.0.1',
    port: 0,
    sharesPort,
  });
  await server.listen();
  const [port, cutNow] = [Number(new URL(server.url).port), AbortSignal.abort()];
  return {
    ...server,
    port,
    url: server.url,
    [Symbol.asyncDispose]: () => drain(server, { cutAfterMs: 0, cutNow }),
  };
}

/** In how many turns of the event loop the server accepts connections that come at the same time. */
async function turnsToAccept({ node, port }: Awaited<ReturnType<typeof listen>>): Promise<number> {
  const turns = new Set<number>();
  let turn = 0;
  let isOver = false;
  const next = () => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  const all = Promise.withResolvers<void>();
  let accepted = 0;
  node.on('connection', () => {
    turns.add(turn);
    accepted += 1;
    if (accepted === CONNECTIONS) all.resolve();
  });
  for (let count = 0; count < CONNECTIONS; count += 1)
    connect(port, '127.0.0.1').on('error', () => undefined);
  await all.promise;
  isOver = true;
  return turns.size;
}

test.runIf(process.platform === 'linux')(
  'accepts many connections in each turn of the event loop',
  async () => {
    await using shared = await listen(true);
    expect(shared.listening).toHaveLength(LISTENING_SOCKETS);
    expect(await turnsToAccept(shared)).toBeLessThan(CONNECTIONS / 4);
    await using single = await listen(false);
    expect(await turnsToAccept(single)).toBeGreaterThan(CONNECTIONS / 2);
  },
);

test.runIf(process.platform === 'linux')(
  'answers on each, and listens on none once it was drained',
  async () => {
    const server = await listen(true);
    for (let count = 0; count < 100; count += 1) {
      const response = await fetch(server.url, { headers: { connection: 'close' } });
      expect(await response.text()).toBe('here');
    }
    await server[Symbol.asyncDispose]();
    for (let count = 0; count < 100; count += 1) {
      const [error] = await once(connect(server.port, '127.0.0.1'), 'error');
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    }
  },
);
