import type { KeyPair } from '@gatehouse/domain/tokens';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ServedTokens, serveTokens } from '../../testing/accepted-tokens.ts';
import { askMany } from '../../testing/ask-many.ts';
import { ME } from '../../testing/client.ts';
import { encode, jwtHeader } from '../../testing/forge.ts';

/** Longer than an unknown key id is cached while the feed is not fresh. */
const FLOOD = sized({ short: { tokens: 2_000, ms: 1_200 }, full: { tokens: 200_000, ms: 30_000 } });

let server: ServedTokens;

beforeAll(async () => {
  server = await serveTokens();
});
afterAll(() => server[Symbol.asyncDispose]());

/** No two are alike, and each gets to another depth of the decision. */
function* garbage(): Generator<string> {
  const [start, end] = [server.tokens.paseto.slice(0, 30), server.tokens.paseto.slice(38)];
  const [header, payload, signature] = server.tokens.jwt.split('.') as [string, string, string];
  for (let serial = 0; ; serial += 1) {
    const text = serial.toString(36).padStart(8, 'A');
    const id = (server.keys.jwt.id.slice(0, -8) + text) as KeyPair['id'];
    yield `garbage-${text}`;
    yield `${start}${text}${end}`;
    yield `${server.tokens.paseto.slice(0, -30)}${text}`;
    yield `${header}.${payload}.${text}${signature.slice(8)}`;
    yield `${encode(jwtHeader({ id }))}.${payload}.${signature}`;
  }
}

function* flood(count: number, milliseconds: number): Generator<string> {
  const since = performance.now();
  let sent = 0;
  for (const token of garbage()) {
    if (sent >= count && performance.now() - since >= milliseconds) return;
    sent += 1;
    yield token;
  }
}

test('a flood of distinct garbage tokens is refused, and the database is not read for any', {
  timeout: FLOOD.tokens + 30_000,
}, async () => {
  const { feed, usage } = server.container.services;
  await vi.waitUntil(() => feed.state().trusted);
  // One of each kind, after which the key ring is known; and the last uses of what was good are stored.
  await askMany(server.url, ME, flood(5, 0));
  await usage.flush();
  const before = server.statements();
  const statuses = [...(await askMany(server.url, ME, flood(FLOOD.tokens, FLOOD.ms)))];
  const read = server.statements() - before;
  recordFigures('Q18', [
    { name: 'garbage tokens', measured: String(statuses[0]?.[1]) },
    { name: 'database reads', measured: String(read), bar: '0', holds: read === 0 },
  ]);
  expect(statuses).toEqual([[401, expect.any(Number)]]);
  expect(statuses[0]?.[1]).toBeGreaterThanOrEqual(FLOOD.tokens);
  expect(read).toBe(0);
});
