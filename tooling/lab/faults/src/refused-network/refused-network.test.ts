import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROBLEMS } from '@gatehouse/api-contract';
import { DEFAULT_REFUSAL_RATE } from '@gatehouse/domain/sign-in';
import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import { createKeptConnection } from '../stage/kept-connection.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { percentile } from '../stage/reader.ts';
import { sabotage } from '../stage/sabotage.ts';
import { type SignInFields, signInRequest } from './sign-in-request.ts';

const CLIENTS = fileURLToPath(new URL('clients.ts', import.meta.url));
/** One queue for the sign-ins of all networks, before their attempts are counted, and no cached refusals. */
const SABOTAGE = sabotage(
  {
    file: '/cached-refusals.ts',
    find: 'return find(network) ?? find(account);',
    replace: 'return undefined;',
  },
  { file: '/sign-in-gate.ts', find: 'clientNetwork(attempt.address)', replace: "''" },
  { file: '/sign-in-capacity.ts', find: 'MAX_QUEUED_SIGN_INS / 4', replace: 'MAX_QUEUED_SIGN_INS' },
);

const SIZE = sized({
  short: { clients: 800, lastsMs: 2000, timeoutMs: 60_000 },
  full: { clients: 1500, lastsMs: 30_000, timeoutMs: 180_000 },
});
/** A refusal occurs within a fraction of this time. */
const SABOTAGED_FOR_MS = 20_000;
/** The number of other clients: below the number of active sign-ins, so that they never wait for each other. */
const OTHERS = 4;
/** The time between two sign-ins of a client, in milliseconds. */
const PAUSE_MS = 50;
/** The attempts of one network: low, so that its limit is reached soon. */
const ATTEMPTS = 20;
/** All addresses are in one IPv6 /64. */
const NETWORK = '2001:db8:0:1::';
/** Neither this network nor the accounts that it tries reach a limit. */
const UNLIMITED = { SIGN_IN_ADDRESS_ATTEMPTS: '1000000', SIGN_IN_ACCOUNT_FAILURES: '1000000' };

/** The responses to the clients of one network, by status. */
async function hammer(url: string, clients: number, lastsMs: number) {
  const child = spawn(process.execPath, [CLIENTS, url, NETWORK, String(clients), String(lastsMs)]);
  const lines = createInterface({ input: child.stdout });
  const counts = Promise.withResolvers<Readonly<Record<number, number>>>();
  const opened = Promise.withResolvers<void>();
  lines.on('line', (line) => (line === 'open' ? opened.resolve() : counts.resolve(JSON.parse(line))));
  const failed = once(child, 'exit').then(([status]) => {
    throw new Error(`the clients ended with status ${status} and said nothing`);
  });
  failed.catch(() => undefined);
  await Promise.race([opened.promise, failed]);
  const counted = Promise.race([counts.promise, failed]);
  // If another client is refused, the run stops, and these counts are not used.
  counted.catch(() => undefined);
  return {
    counts: counted,
    [Symbol.dispose]: () => void child.kill(),
  };
}

async function signInOnce(url: string, fields: SignInFields, address: string) {
  using connection = createKeptConnection(url);
  const sentAt = performance.now();
  const { status, body } = await connection.exchange(signInRequest(fields, address), false);
  return { status, tookMs: performance.now() - sentAt, problem: status === 200 ? undefined : body };
}

interface FloodOptions {
  readonly lastsMs: number;
  readonly more?: Settings;
  /** Whether the network has already reached its limit; otherwise it never does. */
  readonly isOverLimit?: boolean;
}

/**
 * Lets all clients of one network sign in at once while others sign in as well, until the time is over or another
 * client is refused.
 */
async function floodFromOneNetwork({ lastsMs, more = {}, isOverLimit = true }: FloodOptions) {
  await using database = await openPopulated({
    TRUST_PROXY: '127.0.0.1',
    ...(isOverLimit ? { SIGN_IN_ADDRESS_ATTEMPTS: String(ATTEMPTS) } : UNLIMITED),
  });
  const { settings, email, password } = database;
  await using node = await startNode({ ...settings, ...more });
  for (let attempt = 0; isOverLimit && attempt <= ATTEMPTS; attempt += 1) {
    const fields = { email: `user-${attempt}@acme.example`, password: 'a wrong password' };
    const { status } = await signInOnce(node.url, fields, `${NETWORK}${attempt}`);
    expect(status).toBe(attempt < ATTEMPTS ? 401 : 429);
  }
  let networks = 0;
  const signInElsewhere = () => {
    networks += 1;
    return signInOnce(node.url, { email, password }, `198.51.${networks >> 8}.${networks & 255}`);
  };
  // A warmed-up server has its connections to the database.
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: 2 * OTHERS }, signInElsewhere));
  using attackers = await hammer(node.url, SIZE.clients, lastsMs);
  const others: Awaited<ReturnType<typeof signInOnce>>[] = [];
  const hadNoRoom = () => others.some(({ problem }) => problem?.includes(PROBLEMS.overloaded.type));
  const until = performance.now() + lastsMs;
  async function keepSigningIn() {
    while (performance.now() < until && !hadNoRoom()) {
      others.push(await signInElsewhere());
      await delay(PAUSE_MS);
    }
  }
  await Promise.all(Array.from({ length: OTHERS }, keepSigningIn));
  return { others, hadNoRoom: hadNoRoom(), counts: hadNoRoom() ? {} : await attackers.counts };
}

/** The median and the 99th percentile. */
function within(signIns: readonly { readonly tookMs: number }[]): string {
  const took = signIns.map(({ tookMs }) => tookMs);
  return [0.5, 0.99].map((part) => `${percentile(took, part).toFixed(0)} ms`).join(', ');
}

test(`${SIZE.clients} clients of a network over its sign-in limit do not prevent others from signing in`, {
  timeout: SIZE.timeoutMs,
}, async () => {
  const { others, counts } = await floodFromOneNetwork({ lastsMs: SIZE.lastsMs });
  const refused = others.filter(({ status }) => status !== 200);
  recordFigures('O5', [
    { name: 'clients of the refused network', measured: String(SIZE.clients) },
    { name: 'its attempts, by status', measured: JSON.stringify(counts) },
    { name: 'sign-ins from elsewhere', measured: String(others.length) },
    none('of these, refused', refused.length),
    { name: 'the others signed in within, p50, p99', measured: within(others) },
  ]);
  expect(others.length).toBeGreaterThan(0);
  expect(refused).toEqual([]);
  // All are refused because of the limit, and none because of a full queue.
  expect(Object.keys(counts)).toEqual(['429']);
});

test(`${SIZE.clients} clients of a network below its sign-in limit are refused at the limited rate`, {
  timeout: SIZE.timeoutMs,
}, async () => {
  const { others, counts } = await floodFromOneNetwork({ lastsMs: SIZE.lastsMs, isOverLimit: false });
  const refused = others.filter(({ status }) => status !== 200);
  recordFigures('O5', [
    { name: 'attempts of a network below its limit, by status', measured: JSON.stringify(counts) },
    { name: 'sign-ins from elsewhere meanwhile', measured: String(others.length) },
    none('of these, refused (network below its limit)', refused.length),
    { name: 'they signed in within, p50, p99', measured: within(others) },
  ]);
  expect(others.length).toBeGreaterThan(0);
  expect(refused).toEqual([]);
  const { perSecond, maxDelayMs } = DEFAULT_REFUSAL_RATE;
  const seconds = SIZE.lastsMs / 1000 + 1;
  expect(counts[503]).toBeGreaterThan(0);
  expect(counts[503]).toBeLessThanOrEqual((perSecond + SIZE.clients / (maxDelayMs / 1000)) * seconds);
});

test('one queue for all networks is detected', { timeout: SIZE.timeoutMs }, async () => {
  const { hadNoRoom } = await floodFromOneNetwork({ lastsMs: SABOTAGED_FOR_MS, more: SABOTAGE });
  expect(hadNoRoom).toBe(true);
});
