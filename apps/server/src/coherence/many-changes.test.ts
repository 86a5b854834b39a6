import { recordFigures } from '@gatehouse/fault-figures';
import { describe, expect, test, vi } from 'vitest';
import { type ApiToken, type Cluster, openCluster } from '../../testing/cluster.ts';
import { accepted, BOUND_MS, warm } from '../../testing/revocation-watch.ts';
import { rememberForever } from '../../testing/sabotage.ts';

describe('very many changes at once', () => {
  const FILL = `
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
      select gen_random_uuid(), account_id, user_id, subject, 'sign-in', 'one of many', format, key_id, scopes, created_at
      from (select * from tokens limit 1) as one, generate_series(1, 100000)`;

  /** Until no node accepts any of the tokens, which is a second at most; in milliseconds. */
  async function untilOver(cluster: Cluster, tokens: readonly ApiToken[]): Promise<number> {
    const since = performance.now();
    const isOver = async () => (await accepted(cluster, tokens)).length === 0;
    await vi.waitUntil(isOver, { timeout: BOUND_MS, interval: 5 });
    return performance.now() - since;
  }

  const recordOver = (what: string, milliseconds: number) =>
    recordFigures('R6', [
      {
        name: `${what}: accepted nowhere after`,
        measured: `${milliseconds.toFixed(0)} ms`,
        bar: `≤ ${BOUND_MS} ms`,
        holds: milliseconds <= BOUND_MS,
      },
    ]);

  test('invalidate what they changed: a hundred thousand tokens revoked by one statement', async () => {
    await using cluster = await openCluster();
    const tokens = await cluster.newTokens(3);
    await cluster.sql(FILL);
    await warm(cluster, tokens);
    await cluster.sql(
      `update tokens set revoked_at = now(), revoked_by = '{}', revoked_reason = 'all of them'`,
    );
    recordOver('100,000 tokens ended by one statement', await untilOver(cluster, tokens));
  });

  test('invalidate everything if they are a TRUNCATE', async () => {
    await using cluster = await openCluster();
    const tokens = await cluster.newTokens(3);
    await warm(cluster, tokens);
    await cluster.sql('truncate tokens cascade');
    recordOver('TRUNCATE', await untilOver(cluster, tokens));
  });

  test('are detected if a node caches without expiry', async () => {
    await using cluster = await openCluster({ replace: rememberForever });
    const tokens = await cluster.newTokens(3);
    await warm(cluster, tokens);
    await cluster.sql('truncate tokens cascade');
    await expect(untilOver(cluster, tokens)).rejects.toThrow();
  });
});
