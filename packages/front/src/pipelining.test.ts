import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { openRaw, type RawReply, sendRaw } from '../testing/raw-http.ts';
import { FOUND, HELD, serveFront } from '../testing/serve-front.ts';
import type { Listener } from './listener.ts';
import { PIPELINE_LIMITS } from './pipelining.ts';

const get = (path: string, id = 'x') => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`;
const SHORT = 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n';
/** As much as Node reads and parses at once. */
const PIECE = SHORT.repeat(Math.floor(65_536 / SHORT.length));
const IN_PIECE = PIECE.length / SHORT.length;

const idsOf = (replies: readonly RawReply[]) => replies.map(({ headers }) => headers.get('x-request-id'));
const statusesOf = (replies: readonly RawReply[]) => replies.map(({ status }) => status);

interface Parser {
  onIncoming(...head: readonly unknown[]): number;
}

/** Requests whose head Node has parsed. */
function countParsed({ node }: Listener): () => number {
  let count = 0;
  node.on('connection', ({ parser }: Socket & { readonly parser: Parser }) => {
    const take = parser.onIncoming;
    parser.onIncoming = (...head) => {
      count += 1;
      return take(...head);
    };
  });
  return () => count;
}

describe('pipelined requests within the limits', () => {
  test('are answered in order, and the connection goes on', async () => {
    const recordLimit = vi.fn();
    await using served = await serveFront({ recordLimit });
    using connection = await openRaw(served.url);
    const ids = Array.from({ length: PIPELINE_LIMITS.perConnection + 1 }, (_, index) => `id-${index}`);
    for (const round of [1, 2, 3]) {
      connection.write(ids.map((id, index) => get(index % 2 ? '/nope' : FOUND, id)).join(''));
      const replies = await connection.replies(round * ids.length);
      expect(idsOf(replies.slice(-ids.length))).toEqual(ids);
    }
    expect(recordLimit).not.toHaveBeenCalled();
  });

  test('with bodies and expectations are answered in order', async () => {
    await using served = await serveFront();
    using connection = await openRaw(served.url);
    const post = (size: number, more = '') =>
      `POST / HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${size}\r\n\r\n${' '.repeat(size)}`;
    connection.write(
      get('/nope') + post(1) + post(2, 'Expect: 100-continue\r\n') + post(20_000) + get('/nope'),
    );
    expect(statusesOf(await connection.replies(5))).toEqual([404, 200, 200, 413, 404]);
  });

  test('are handled after those of connections that do not pipeline', async () => {
    // On a busy machine some hundred are handled before the other request arrives.
    const count = 4_000;
    await using served = await serveFront({ pipelineLimits: { perConnection: count } });
    using pipelining = await openRaw(served.url);
    using other = await openRaw(served.url);
    const finished: string[] = [];
    served.server.node.on('request', ({ headers }, response) =>
      response.once('finish', () => finished.push(String(headers['x-request-id']))),
    );
    served.server.node.once('request', () => other.write(get('/nope', 'other')));
    pipelining.write(get('/nope', 'pipelined').repeat(count));
    await Promise.all([pipelining.replies(count), other.replies(1)]);
    expect(finished.indexOf('other')).toBeLessThan(count / 2);
  });
});

describe('a connection with more pipelined requests than the limit', () => {
  // Should this fail with another version of Node: see docs/adr/0023-pipelined-requests.md.
  test('has no more of them parsed, and is closed after the answer to what was being handled', async () => {
    const recordLimit = vi.fn();
    await using served = await serveFront({ recordLimit });
    const parsed = countParsed(served.server);
    using connection = await openRaw(served.url);
    connection.write(PIECE);
    const replies = await connection.closed();
    expect(replies.length).toBeGreaterThan(0);
    expect(replies.at(-1)?.headers.get('connection')).toBe('close');
    // The first, those behind it, and the one that is too many.
    expect(parsed()).toBeLessThanOrEqual(PIPELINE_LIMITS.perConnection + 2);
    expect(recordLimit.mock.calls).toEqual([['pipelined_requests']]);
  });

  test('would have all of them parsed at once without the limit', async () => {
    await using served = await serveFront({
      pipelineLimits: { perConnection: Number.POSITIVE_INFINITY, perServer: Number.POSITIVE_INFINITY },
    });
    const parsed = countParsed(served.server);
    const atFirstAnswer = Promise.withResolvers<number>();
    served.server.node.once('request', (_, response) =>
      response.once('finish', () => atFirstAnswer.resolve(parsed())),
    );
    using connection = await openRaw(served.url);
    connection.write(PIECE);
    expect(await atFirstAnswer.promise).toBeGreaterThan(IN_PIECE / 2);
    expect(await connection.replies(IN_PIECE)).toHaveLength(IN_PIECE);
  });

  test('is answered what was taken up before, in order, however long that takes', async () => {
    const recordLimit = vi.fn();
    await using served = await serveFront({ pipelineLimits: { perConnection: 3 }, recordLimit });
    using connection = await openRaw(served.url);
    connection.write(get(HELD, 'a') + get('/nope', 'b') + get(FOUND, 'c'));
    await served.arrived;
    // All three are taken up by then.
    await sendRaw(served.url, 'GET /nope HTTP/1.0\r\n\r\n');
    connection.write(get('/nope', 'd') + get('/nope', 'e') + get('/nope', 'f'));
    await expect.poll(() => recordLimit.mock.calls).toEqual([['pipelined_requests']]);
    connection.write('GARBAGE\r\n\r\n');
    await sendRaw(served.url, 'GET /nope HTTP/1.0\r\n\r\n');
    served.letGo();
    expect(idsOf(await connection.closed())).toEqual(['a', 'b', 'c']);
    expect(recordLimit).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another protocol', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nGET /'],
  ])('is closed so if the first beyond it has %s', async (_, beyond) => {
    await using served = await serveFront({ pipelineLimits: { perConnection: 1 } });
    using connection = await openRaw(served.url);
    connection.write(get(HELD) + get('/nope') + beyond + SHORT);
    await served.arrived;
    served.letGo();
    expect(statusesOf(await connection.closed())).toEqual([200]);
  });

  test('is cut if its client does not read what it is still sent', async () => {
    await using served = await serveFront({ pipelineLimits: { perConnection: 1, closeWithin: 50 } });
    using connection = await openRaw(served.url);
    connection.write(get(HELD) + SHORT + SHORT);
    expect(await connection.closed()).toEqual([]);
    served.letGo();
  });
});

describe('pipelined requests of one client', () => {
  const connections = { most: 100, perNetwork: 100, networkOf: (address: string) => address };
  const pipelineLimits = { perConnection: 32, perClient: 2 };

  test('are limited, and leave room to other clients', async () => {
    await using served = await serveFront({ pipelineLimits, connections });
    using taking = await openRaw(served.url, '127.0.0.2');
    taking.write(get(HELD) + SHORT + SHORT);
    await served.arrived;
    using beside = await openRaw(served.url, '127.0.0.2');
    beside.write(SHORT + SHORT);
    expect(statusesOf(await beside.closed())).toEqual([404]);
    using other = await openRaw(served.url);
    other.write(SHORT + SHORT);
    expect(await other.replies(2)).toHaveLength(2);
    served.letGo();
    expect(statusesOf(await taking.replies(3))).toEqual([200, 404, 404]);
    taking.write(SHORT + SHORT + SHORT);
    expect(await taking.replies(6)).toHaveLength(6);
  });
});

describe('pipelined requests of all connections together', () => {
  const pipelineLimits = { perConnection: 32, perServer: 2 };

  test('are limited, and those that were answered or given up do not count', async () => {
    const recordLimit = vi.fn();
    await using served = await serveFront({ pipelineLimits, recordLimit });
    const taking = await openRaw(served.url);
    taking.write(get(HELD) + SHORT + SHORT);
    await served.arrived;
    expect(statusesOf(await sendRaw(served.url, SHORT + SHORT))).toEqual([404]);
    expect(recordLimit).toHaveBeenCalledTimes(1);
    // Who does not pipeline does not notice.
    using other = await openRaw(served.url);
    for (const count of [1, 2, 3]) {
      other.write(SHORT);
      expect(await other.replies(count)).toHaveLength(count);
    }
    taking.socket.resetAndDestroy();
    await expect.poll(() => served.server.sockets.size).toBe(1);
    for (const count of [6, 9, 12]) {
      other.write(SHORT + SHORT + SHORT);
      expect(await other.replies(count)).toHaveLength(count);
    }
    expect(recordLimit).toHaveBeenCalledTimes(1);
    served.letGo();
  });
});
