import { expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import type { ReplaceableParts } from '../../testing/postgres-server.ts';
import { hearNothing } from '../../testing/sabotage.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

/** Takes every connection of the pool that requests share, until it is disposed of. */
async function takePool({ queries }: ReplaceableParts['database'], size: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: Promise<void>[] = [];
  while (held.length < size) {
    await new Promise<void>((taken) => {
      const hold = () => {
        taken();
        return released;
      };
      held.push(queries.connection().execute(hold));
    });
  }
  return {
    async [Symbol.asyncDispose]() {
      release();
      await Promise.all(held);
    },
  };
}

test('a server without its change feed is degraded, not out of service, while requests use its whole pool', async () => {
  let database: ReplaceableParts['database'] | undefined;
  await using served = await startTestServer({
    database: 'postgres',
    replace: (parts) => {
      hearNothing(parts);
      ({ database } = parts);
    },
  });
  if (!database) throw new Error('no database');
  await using _taken = await takePool(database, 4);
  expect(database.poolState()).toMatchObject({ total: 4, idle: 0 });
  const { token } = served.demo;
  expect((await call(served.url, '/api/v1/me.json', { token })).status).toBe(503);
  const { status, json } = await call(served.opsUrl, '/ready');
  expect([status, json]).toEqual([
    200,
    { status: 'degraded', reason: 'The change feed is not trusted: nothing is heard.' },
  ]);
});
