import { recordFigures, sized } from '@gatehouse/fault-figures';
import { TIME_LIMITS, type TimeLimits } from '@gatehouse/front';
import { openRaw } from '@gatehouse/front/testing';
import { expect, test } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';

const QUICK: Partial<TimeLimits> = { headers: 150, request: 300, checkEvery: 20 };
/** A full run has the server's own limits, and waits for them. */
const SIZE = sized<{ readonly timeLimits?: Partial<TimeLimits>; readonly dripEveryMs: number }>({
  short: { timeLimits: QUICK, dripEveryMs: 10 },
  full: { dripEveryMs: 500 },
});

const head = 'POST /api/v1/auth.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const HEADERS_MS = 10_000;
const BODY_MS = 15_000;

/** How a request begins, what follows drop by drop, and when it has to be over. */
const SLOW = {
  'nothing at all': ['', '', HEADERS_MS],
  'one letter of the request line': ['G', '', HEADERS_MS],
  'headers that never end': ['GET /openapi.json HTTP/1.1\r\nHost: x\r\n', 'A: b\r\n', HEADERS_MS],
  'one header, letter by letter': ['GET /openapi.json HTTP/1.1\r\nA: ', 'b', HEADERS_MS],
  'a body that never arrives': [`${head}Content-Length: 10000\r\n\r\n`, '', BODY_MS],
  'a body, letter by letter': [`${head}Content-Length: 10000\r\n\r\n{`, ' ', BODY_MS],
  'one chunk at a time': [`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n', BODY_MS],
  'a second request of a connection': ['GET /nope HTTP/1.1\r\nHost: x\r\n\r\nGET /', 'x', HEADERS_MS],
} as const;

test('slow headers are closed within 10 s and slow bodies within 15 s, however they drip', {
  timeout: 60_000,
}, async () => {
  await using served = await startTestServer(SIZE.timeLimits && { timeLimits: SIZE.timeLimits });
  const ends = await Promise.all(
    Object.entries(SLOW).map(async ([name, [begun, drop, limitMs]]) => {
      using connection = await openRaw(served.url);
      const since = performance.now();
      connection.write(begun);
      const dripping = setInterval(() => drop !== '' && connection.write(drop), SIZE.dripEveryMs);
      const replies = await connection.closed().finally(() => clearInterval(dripping));
      const tookMs = performance.now() - since;
      return { name, statuses: replies.map(({ status }) => status), tookMs, limitMs };
    }),
  );
  for (const { name, statuses } of ends) expect(statuses.at(-1), name).toBe(408);
  await expect.poll(() => served.server.sockets.size).toBe(0);
  // Looked for so often: what is late is found, and ended, by then.
  expect(TIME_LIMITS.headers + TIME_LIMITS.checkEvery).toBeLessThan(HEADERS_MS);
  expect(TIME_LIMITS.request + TIME_LIMITS.checkEvery).toBeLessThan(BODY_MS);
  if (SIZE.timeLimits) return;
  recordFigures(
    'Q40',
    ends.map(({ name, tookMs, limitMs }) => ({
      name: `${name}: closed after`,
      measured: `${(tookMs / 1000).toFixed(1)} s`,
      bar: `≤ ${limitMs / 1000} s`,
      holds: tookMs <= limitMs,
    })),
  );
  for (const { name, tookMs, limitMs } of ends) expect(tookMs, name).toBeLessThanOrEqual(limitMs);
});
