import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { serveFront } from '../testing/serve-front.ts';
import { LISTENING_SOCKETS, type Listener } from './listener.ts';

const CONNECTIONS = 200;

/** In how many turns of the event loop the server accepts connections that come at the same time. */
async function turnsToAccept({ node, url }: Listener): Promise<number> {
  const port = Number(new URL(url).port);
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
    await using shared = await serveFront({ sharesPort: true });
    expect(shared.server.listening).toHaveLength(LISTENING_SOCKETS);
    expect(await turnsToAccept(shared.server)).toBeLessThan(CONNECTIONS / 4);
    await using single = await serveFront({ sharesPort: false });
    expect(await turnsToAccept(single.server)).toBeGreaterThan(CONNECTIONS / 2);
  },
);

test.runIf(process.platform === 'linux')(
  'answers on each, and listens on none once it was drained',
  async () => {
    const served = await serveFront({ sharesPort: true });
    for (let count = 0; count < 100; count += 1) {
      const response = await fetch(served.url, { headers: { connection: 'close' } });
      expect(response.status).toBe(200);
    }
    await served[Symbol.asyncDispose]();
    for (let count = 0; count < 100; count += 1) {
      const [error] = await once(connect(Number(new URL(served.url).port), '127.0.0.1'), 'error');
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    }
  },
);
