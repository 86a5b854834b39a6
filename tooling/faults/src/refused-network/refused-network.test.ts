import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { createTestDatabase } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { createKeptConnection } from '../stage/kept-connection.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { populate } from '../stage/population.ts';
import { percentile } from '../stage/reader.ts';
import { type SignInFields, signInRequest } from './sign-in-request.ts';

const CLIENTS = fileURLToPath(new URL('clients.ts', import.meta.url));
const SABOTAGE = new URL('one-queue-for-all.ts', import.meta.url).href;

const SIZE = sized({
  short: { clients: 800, lastsMs: 2000, timeoutMs: 60_000 },
  full: { clients: 1500, lastsMs: 30_000, timeoutMs: 180_000 },
});
/** A sign-in from elsewhere begins so often, in milliseconds. */
const EVERY_MS = 100;
/** Attempts of one network, few so that its limit is soon reached. */
const ATTEMPTS = 20;
/** All in one IPv6 /64. */
const NETWORK = '2001:db8:0:1::';

/** What clients of one network were answered, by status. */
async function hammer(url: string, clients: number, lastsMs: number) {
  // Clients as far away as these take no time of this machine.
  const child = spawn('nice', [
    ...['-n', '19', process.execPath, CLIENTS, url, NETWORK, String(clients), String(lastsMs)],
  ]);
  const lines = createInterface({ input: child.stdout });
  const counts = Promise.withResolvers<Readonly<Record<number, number>>>();
  const opened = Promise.withResolvers<void>();
  lines.on('line', (line) => (line === 'open' ? opened.resolve() : counts.resolve(JSON.parse(line))));
  const failed = once(child, 'exit').then(([status]) => {
    throw new Error(`the clients ended with status ${status} and said nothing`);
  });
  failed.catch(() => undefined);
  await Promise.race([opened.promise, failed]);
  return { counts: Promise.race([counts.promise, failed]) };
}

async function signInOnce(url: string, fields: SignInFields, address: string) {
  using connection = createKeptConnection(url);
  const sentAt = performance.now();
  const { status } = await connection.exchange(signInRequest(fields, address), false);
  return { status, tookMs: performance.now() - sentAt };
}

/** Has one network reach its limit, and then sign in with all its clients at once while others sign in as well. */
async function floodFromOneNetwork(more: Settings = {}) {
  await using database = await createTestDatabase();
  const settings = {
    DATABASE_URL: database.url,
    GATEHOUSE_MASTER_KEY: 'A'.repeat(43),
    TRUST_PROXY: '127.0.0.1',
    SIGN_IN_ADDRESS_ATTEMPTS: String(ATTEMPTS),
  };
  const { email, password } = await populate(settings);
  await using node = await startNode({ ...settings, ...more });
  for (let attempt = 0; attempt <= ATTEMPTS; attempt += 1) {
    const fields = { email: `user-${attempt}@acme.example`, password: 'a wrong password' };
    const { status } = await signInOnce(node.url, fields, `${NETWORK}${attempt}`);
    expect(status).toBe(attempt < ATTEMPTS ? 401 : 429);
  }
  const { counts } = await hammer(node.url, SIZE.clients, SIZE.lastsMs);
  const others: ReturnType<typeof signInOnce>[] = [];
  const until = performance.now() + SIZE.lastsMs;
  while (performance.now() < until) {
    // Each from a network of its own.
    others.push(
      signInOnce(node.url, { email, password }, `198.51.${others.length >> 8}.${others.length & 255}`),
    );
    await delay(EVERY_MS);
  }
  return { others: await Promise.all(others), attackers: await counts };
}

test(`${SIZE.clients} clients of a network over its sign-in limit do not keep others from signing in`, {
  timeout: SIZE.timeoutMs,
}, async () => {
  const { others, attackers } = await floodFromOneNetwork();
  const refused = others.filter(({ status }) => status !== 200);
  const took = others.map(({ tookMs }) => tookMs);
  const within = (part: number) => `${percentile(took, part).toFixed(0)} ms`;
  recordFigures('O5', [
    { name: 'clients of the refused network', measured: String(SIZE.clients) },
    { name: 'its attempts, by status', measured: JSON.stringify(attackers) },
    { name: 'sign-ins from elsewhere', measured: String(others.length) },
    { name: 'of these, refused', measured: String(refused.length), bar: '0', holds: refused.length === 0 },
    { name: 'the others signed in within, p50, p99', measured: `${within(0.5)}, ${within(0.99)}` },
  ]);
  expect(others.length).toBeGreaterThan(0);
  expect(refused).toEqual([]);
  // Refused as over its limit, none for want of room. Fewer would be no attack.
  expect(Object.keys(attackers)).toEqual(['429']);
  expect(attackers[429]).toBeGreaterThan(SIZE.clients / 2);
});

test('a queue that is the same for all networks is found out', { timeout: SIZE.timeoutMs }, async () => {
  const { others } = await floodFromOneNetwork({ NODE_OPTIONS: `--import=${SABOTAGE}` });
  expect(others.filter(({ status }) => status === 503)).not.toEqual([]);
});
