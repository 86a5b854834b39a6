import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { type ApiToken, openCluster } from '../../testing/cluster.ts';
import { latenessesOf, outOfTime, warm } from '../../testing/revocation-watch.ts';
import { spawnServer } from '../../testing/spawn-server.ts';

test('an unknown notification is logged once by each node, and ignored', async () => {
  await using cluster = await openCluster();
  const tokens = await cluster.newTokens(2);
  await warm(cluster, tokens);
  const strange = [
    '',
    'x',
    '{',
    '[]',
    '{"v":2,"kind":"token","ids":["*"]}',
    '{"v":1,"kind":"moon","ids":[1]}',
  ];
  for (const payload of [...strange, 'x'.repeat(7999)]) {
    await cluster.sql(`select pg_notify('gatehouse_changes', '${payload}')`);
  }
  // Heard in order: what comes first was heard when this is.
  expect(outOfTime(await latenessesOf(cluster, tokens, 2))).toEqual([]);
  for (const { entries } of cluster.nodes) {
    const said = entries().filter(({ msg }) => msg === 'the change feed ignored an unknown notification');
    expect(said).toHaveLength(1);
  }
});

describe('the use of a token', () => {
  const usesSince = (id: ApiToken['id'], at: number) =>
    `select from token_usage where token_id = '${id}' and last_used_at >= to_timestamp(${at} / 1000.0)`;

  test('is recorded when the server shuts down right after it', async () => {
    await using cluster = await openCluster();
    const [once, again] = (await cluster.newTokens(2)) as [ApiToken, ApiToken];
    const { databaseUrl, masterKey, path } = cluster;
    await using server = spawnServer({ DATABASE_URL: databaseUrl, GATEHOUSE_MASTER_KEY: masterKey });
    const url = await server.serving();
    const use = async ({ secret }: ApiToken) => {
      const at = Date.now();
      expect((await call(url, path, { token: secret })).status).toBe(200);
      return at;
    };

    // Its later uses are not urgent: they wait a second, or for the end.
    await use(again);
    await vi.waitUntil(async () => (await cluster.sql(usesSince(again.id, 0))).length > 0, { timeout: 5000 });
    const locker = new pg.Client({ connectionString: databaseUrl });
    await locker.connect();
    await locker.query('begin; lock token_usage in exclusive mode');
    const lastUses = [[once.id, await use(once)] as const];
    const isStoring = async () =>
      (await cluster.sql(`select from pg_locks where relation = 'token_usage'::regclass and not granted`))
        .length > 0;
    await vi.waitUntil(isStoring, { timeout: 5000, interval: 5 });
    lastUses.push([again.id, await use(again)]);
    server.process.kill('SIGTERM');
    await locker.query('commit');
    expect(await server.ended).toBe(0);
    await locker.end();
    for (const [id, at] of lastUses) expect(await cluster.sql(usesSince(id, at))).toHaveLength(1);
  });
});
