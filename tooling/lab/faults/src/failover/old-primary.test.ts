import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import { adminOf, type IssuedToken } from '../stage/admin.ts';
import { statusOf, untilReady, verdictOf } from '../stage/ask.ts';
import { hasHaproxy } from '../stage/haproxy.ts';
import { metric } from '../stage/metrics.ts';
import type { ServerNode, Settings } from '../stage/node.ts';
import { type Population, populate, settingsOf } from '../stage/population.ts';
import { BOUND_MS, latenessesOf } from '../stage/revocation.ts';
import { sabotage } from '../stage/sabotage.ts';
import { openInstallation } from '../stage/store.ts';
import { until } from '../stage/until.ts';
import { measureProbes } from './probe-cost.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts';
import { startNodes } from './start-nodes.ts';

const SIZE = sized({
  short: { rounds: 1, quietMs: 2000, visits: 50 },
  full: { rounds: 20, quietMs: 20_000, visits: 500 },
});
const TIMEOUT_MS = 60_000 + SIZE.rounds * 30_000;
/** Many, so that some open connections of the pool lead to the old primary. */
const READS = 20;

const NO_PROBE = sabotage({
  file: '/postgres/src/changes/change-feed.ts',
  find: 'if (!addressProbe) return;',
  replace: 'if (addressProbe !== null) return;',
});
/** The caches are dropped, but the pool's connections still lead to the old primary. */
const KEPT_CONNECTIONS = sabotage({
  file: '/primary-connections.ts',
  find: 'if (problem !== undefined) socket.destroy',
  replace: 'if (problem === null) socket.destroy',
});

const isPossible = hasHaproxy && process.platform === 'linux';
if (!isPossible) recordSkip('D5', 'haproxy is not installed (apt-get install haproxy), or this is not Linux');

/** Two servers whose connections stay open when their address leads to another primary. */
async function openServers(more: Settings = {}) {
  await using ending = new AsyncDisposableStack();
  let population: Population | undefined;
  // A synchronous primary would acknowledge nothing without its standby, and the servers would notice that.
  const postgres = ending.use(
    await startReplicatedPostgres({ replication: { behindMs: 0 }, openConnections: 'kept' }, async (url) => {
      population = await populate(settingsOf(url));
    }),
  );
  const { email, path } = population as Population;
  const { url } = postgres.address;
  const settings = settingsOf(url);
  await untilLeadsTo(postgres);
  const nodes = await startNodes(2, { ...settings, ...more });
  for (const node of nodes) ending.use(node);
  const kept = ending.move();
  return { postgres, settings, email, path, nodes, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Resolves when new connections of the address lead to the primary. */
function untilLeadsTo({ address, primary }: ReplicatedPostgres): Promise<number> {
  return until('the address leads to the primary', async () => (await address.leadsTo()) === primary.port);
}

async function issueTwo(settings: Settings, email: string): Promise<readonly [IssuedToken, IssuedToken]> {
  await using store = openInstallation(settings);
  const admin = await adminOf(store, email);
  return [await admin.issue(), await admin.issue()];
}

/**
 * Promotes the standby while the old primary goes on running, and at once revokes a token at the new one that both
 * servers have in memory. Returns for each server when it accepted the token last.
 */
async function replaceAndRevoke({
  postgres,
  settings,
  email,
  path,
  nodes,
}: Awaited<ReturnType<typeof openServers>>) {
  const urls = nodes.map(({ url }) => `${url}${path}`);
  await Promise.all(nodes.map(({ opsUrl }) => untilReady(opsUrl)));
  const [revoked, other] = await issueTwo(settings, email);
  // Several at once, because they need several connections of the pool.
  const unknown = Array.from({ length: READS }, (_, index) => `${revoked.secret}${index}`);
  for (const url of urls) {
    await Promise.all(unknown.map((token) => statusOf(url, token)));
    for (const _ of [1, 2, 3]) expect(await verdictOf(url, revoked.secret)).toBe(200);
  }
  await postgres.untilCaughtUp();
  await postgres.promoteStandby();
  await untilLeadsTo(postgres);
  await using store = openInstallation(settings);
  const admin = await adminOf(store, email);
  const latenesses = await latenessesOf(urls, revoked.secret, () => admin.revoke(revoked));
  return { latenesses, urls, good: [other, await admin.issue()] };
}

test.skipIf(!isPossible)(
  'an old primary that goes on running is left by all servers, and they accept no token that was revoked at the new one',
  { timeout: TIMEOUT_MS },
  async () => {
    await using servers = await openServers();
    const { postgres, nodes } = servers;
    const latenesses: number[] = [];
    const backAfter: number[] = [];
    let [wrong, writes] = [0, 0];
    for (let round = 0; round < SIZE.rounds; round += 1) {
      // At a different moment between two probes each time.
      await delay((round * 161) % 1000);
      const old = postgres.primary;
      const { latenesses: last, urls, good } = await replaceAndRevoke(servers);
      const since = performance.now();
      latenesses.push(...last);
      await Promise.all(nodes.map(({ opsUrl }) => untilReady(opsUrl)));
      backAfter.push(performance.now() - since);
      for (const url of urls) {
        for (const { secret } of good) wrong += (await verdictOf(url, secret)) === 200 ? 0 : 1;
      }
      const [sessions] = await old.run<{ count: number }>(
        `select count(*)::int from pg_stat_activity where usename = 'gatehouse' and application_name <> 'gatehouse address probe'`,
      );
      writes += sessions?.count ?? 0;
      await postgres.replaceStandby();
    }
    recordFigures('D5', [
      atMost(
        `${latenesses.length} last acceptances after a revocation at the new primary, latest`,
        Math.max(...latenesses),
        BOUND_MS,
        1,
      ),
      none('tokens of before and after that were answered wrongly', wrong),
      none('connections to the old primary that servers kept', writes),
      {
        name: 'both servers ready again after they left the old primary, at most',
        measured: `${Math.max(...backAfter).toFixed(0)} ms`,
      },
    ]);
    expect(Math.max(...latenesses)).toBeLessThanOrEqual(BOUND_MS);
    expect([wrong, writes]).toEqual([0, 0]);
  },
);

test.skipIf(!isPossible)('costs each process few connections', { timeout: TIMEOUT_MS }, async () => {
  await using servers = await openServers();
  const { postgres, nodes } = servers;
  await Promise.all(nodes.map(({ opsUrl }) => untilReady(opsUrl)));
  const { perSecond, cpuMsPerConnection, cpuMsPerProcess } = await measureProbes(postgres, SIZE);
  const each = perSecond / nodes.length;
  recordFigures('D5', [
    {
      name: 'connections that each process makes to test its address',
      measured: `${each.toFixed(2)} a second`,
    },
    {
      name: "CPU of the database's machine for one such connection, and for those of a process",
      measured: `${cpuMsPerConnection.toFixed(2)} ms, ${((cpuMsPerConnection * each) / 10).toFixed(2)} % of a core`,
    },
    {
      name: 'CPU of a process on this machine that does nothing, for comparison',
      measured: `${cpuMsPerProcess.toFixed(2)} ms`,
    },
  ]);
  expect(each).toBeGreaterThan(0.5);
  expect(each).toBeLessThan(2);
});

test.skipIf(!isPossible)(
  'servers whose role may not ask which server answers work as before, and say so',
  { timeout: TIMEOUT_MS },
  async () => {
    await using servers = await openServers();
    const { postgres, settings, email, path } = servers;
    await postgres.primary.run('revoke execute on function pg_control_system() from public', 'gatehouse');
    const [node] = (await startNodes(1, settings)) as [ServerNode];
    await using _ = node;
    await untilReady(node.opsUrl);
    const [token] = await issueTwo(settings, email);
    expect(await verdictOf(`${node.url}${path}`, token.secret)).toBe(200);
    const said = /this server would not detect a failover that leaves the old primary running/;
    await until('the log says so', () => node.log.some((line) => said.test(line)));
  },
);

test.skipIf(!isPossible).each([
  { what: 'do not test their address', more: NO_PROBE, trusted: 1 },
  { what: 'keep the connections of their pool', more: KEPT_CONNECTIONS, trusted: undefined },
])(
  'servers that $what go on believing the old primary, which is detected',
  { timeout: TIMEOUT_MS },
  async ({ more, trusted }) => {
    await using servers = await openServers(more);
    const { latenesses } = await replaceAndRevoke(servers);
    expect(Math.max(...latenesses)).toBeGreaterThan(BOUND_MS);
    if (trusted === undefined) return;
    for (const { opsUrl } of servers.nodes) {
      expect(await metric(opsUrl, 'gatehouse_change_feed_trusted')).toBe(trusted);
    }
  },
);
