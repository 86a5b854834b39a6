import { expect, test, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { type ApiToken, type Cluster, openCluster } from '../../testing/cluster.ts';
import { warm } from '../../testing/revocation-watch.ts';
import { rememberForever } from '../../testing/sabotage.ts';

const HOUR = 3_600_000;

/** Returns the answer of each node to a request with this token. */
function ask({ nodes, path }: Cluster, { secret }: ApiToken) {
  return Promise.all(nodes.map(({ url }) => call(url, path, { token: secret })));
}

async function statuses(cluster: Cluster, token: ApiToken): Promise<readonly number[]> {
  return (await ask(cluster, token)).map(({ status }) => status);
}

/** The end of the token, as each node tells it. */
async function ends(cluster: Cluster, token: ApiToken): Promise<readonly (string | null)[]> {
  return (await ask(cluster, token)).map(({ headers }) => headers.get('x-token-expires-at'));
}

const untilTold = (cluster: Cluster, old: ApiToken) =>
  vi.waitUntil(async () => !(await ends(cluster, old)).includes(null), { timeout: 2000, interval: 5 });

const untilOver = (cluster: Cluster, old: ApiToken, timeout: number) =>
  vi.waitUntil(async () => (await statuses(cluster, old)).every((status) => status === 401), {
    timeout,
    interval: 5,
  });

async function givenOld(cluster: Cluster): Promise<ApiToken> {
  const [old] = (await cluster.newTokens(1)) as [ApiToken];
  await warm(cluster, [old]);
  return old;
}

test('nodes with the old token cached refuse it once one of them has accepted the new one', async () => {
  await using cluster = await openCluster();
  const old = await givenOld(cluster);
  const next = await cluster.rotate(old, 0);
  expect(await statuses(cluster, old)).toEqual([200, 200]);
  await call(cluster.nodes[0].url, cluster.path, { token: next.secret });
  await untilOver(cluster, old, 2000);
  expect(await statuses(cluster, next)).toEqual([200, 200]);
});

test('nodes with the old token cached return its new expiry, and accept it until then', async () => {
  await using cluster = await openCluster();
  const old = await givenOld(cluster);
  const next = await cluster.rotate(old, HOUR);
  expect(await ends(cluster, old)).toEqual([null, null]);
  const before = Date.now();
  await statuses(cluster, next);
  await untilTold(cluster, old);
  const [one, other] = await ends(cluster, old);
  expect(other).toBe(one);
  expect(Date.parse(one ?? '')).toBeGreaterThanOrEqual(before + HOUR);
  expect(Date.parse(one ?? '')).toBeLessThanOrEqual(Date.now() + HOUR);
});

test('a cached token is refused after its grace period, and not before', async () => {
  await using cluster = await openCluster();
  const old = await givenOld(cluster);
  await statuses(cluster, await cluster.rotate(old, 2000));
  await untilTold(cluster, old);
  const [told] = await ends(cluster, old);
  const end = Date.parse(told ?? '');
  for (;;) {
    const sentAt = Date.now();
    const answers = await statuses(cluster, old);
    if (sentAt >= end) expect(answers).toEqual([401, 401]);
    if (Date.now() < end) expect(answers).toEqual([200, 200]);
    if (sentAt >= end) break;
  }
});

test('a node that caches without expiry is detected', async () => {
  await using cluster = await openCluster({ replace: rememberForever });
  const old = await givenOld(cluster);
  await statuses(cluster, await cluster.rotate(old, 0));
  await expect(untilOver(cluster, old, 1000)).rejects.toThrow();
});
