import { recordFigures, sized } from '@gatehouse/fault-figures';
import { describe, expect, test, vi } from 'vitest';
import { type Cluster, isTrusting, openCluster } from '../../testing/cluster.ts';
import { revokeUnderLoad } from '../../testing/revocation-load.ts';
import { accepted, figuresOf, latenessOf, outOfTime, warm } from '../../testing/revocation-watch.ts';
import { tellNothing } from '../../testing/sabotage.ts';

const SIZE = sized({
  short: { revocations: 200, others: 1, cuts: 20, timeoutMs: 180_000 },
  full: { revocations: 10_000, others: 2, cuts: 200, timeoutMs: 1_800_000 },
});

describe('tokens revoked while warm nodes are under load', () => {
  test(`${SIZE.revocations} of them are accepted nowhere a second later, and never again`, {
    timeout: SIZE.timeoutMs,
  }, async () => {
    await using cluster = await openCluster({ others: SIZE.others });
    const { latenesses, tokens, load } = await revokeUnderLoad(cluster, SIZE.revocations);
    recordFigures('R1', figuresOf(latenesses, { p50: 50, p99: 250 }));
    expect(latenesses).toHaveLength(SIZE.revocations * (SIZE.others + 1));
    expect(outOfTime(latenesses)).toEqual([]);
    expect(await accepted(cluster, tokens)).toEqual([]);
    expect(load.failures).toEqual([]);
    // Nodes that ask the database each time would prove nothing.
    expect(load.statements).toBeLessThan(load.answers);
  });

  test('are detected if a node ignores changes silently', async () => {
    await using cluster = await openCluster({ replace: tellNothing });
    const { latenesses } = await revokeUnderLoad(cluster, 4);
    expect(outOfTime(latenesses)).toHaveLength(4);
  });
});

describe('tokens revoked while the listening sessions are ended again and again', () => {
  const endListeners = ({ sql }: Cluster) =>
    sql(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name like 'gatehouse change feed%'`);

  const untilTrusting = ({ nodes }: Cluster) =>
    vi.waitUntil(() => nodes.every(isTrusting), { timeout: 15_000, interval: 5 });

  async function revokeWhileEnding(cluster: Cluster, cuts: number) {
    const tokens = await cluster.newTokens(cuts);
    const latenesses: number[] = [];
    let ended = 0;
    for (const [round, token] of tokens.entries()) {
      await untilTrusting(cluster);
      await warm(cluster, [token]);
      const end = async () => {
        ended += (await endListeners(cluster)).length;
      };
      if (round % 2 === 0) await end();
      const [found] = await Promise.all([latenessOf(cluster, token), round % 2 === 1 ? end() : undefined]);
      latenesses.push(...found);
    }
    // While a node is cut off it asks the database; what it remembers shows when it is not.
    await untilTrusting(cluster);
    return { latenesses, ended, revived: await accepted(cluster, tokens) };
  }

  test('are accepted nowhere a second later, and never again', { timeout: SIZE.timeoutMs }, async () => {
    await using cluster = await openCluster({ others: SIZE.others });
    const { latenesses, ended, revived } = await revokeWhileEnding(cluster, SIZE.cuts);
    recordFigures('R2', [{ name: 'sessions ended', measured: String(ended) }, ...figuresOf(latenesses)]);
    expect(ended).toBeGreaterThanOrEqual(SIZE.cuts);
    expect(outOfTime(latenesses)).toEqual([]);
    expect(revived).toEqual([]);
  });

  test('are detected if a node does not report that it was cut off', async () => {
    await using cluster = await openCluster({ replace: tellNothing });
    const { revived } = await revokeWhileEnding(cluster, 2);
    expect(revived).toHaveLength(2);
  });
});
