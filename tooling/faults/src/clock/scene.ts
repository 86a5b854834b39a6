import type { Principal } from '@gatehouse/domain/access';
import type { TokenId } from '@gatehouse/domain/tokens';
import { createTestDatabase, openSilenceableProxy } from '@gatehouse/test-database';
import { type Settings, startNode } from '../stage/node.ts';
import { populate } from '../stage/population.ts';
import { openInstallation, unwrap } from '../stage/store.ts';
import { openWallClock } from '../stage/wall-clock.ts';

export interface ClockedToken {
  readonly id: TokenId;
  readonly secret: string;
  readonly expiresAt: number;
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
export type ClockedNode = Scene['nodes'][number];

/** Servers on one database, each with a wall clock that can be set, and a client with the right time. */
export async function openScene(offsetsMs: readonly number[], more: Settings = {}) {
  await using ending = new AsyncDisposableStack();
  const database = ending.use(await createTestDatabase());
  const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: 'A'.repeat(43) };
  const population = await populate(settings);
  const store = ending.use(openInstallation(settings));
  const admin: Principal = unwrap(await store.actAs(population.email, 'test'));
  // Their feeds can fall silent; their pools connect to the database directly.
  const feedWay = await openSilenceableProxy(database.url);
  ending.defer(() => feedWay.close());
  const nodes = await Promise.all(
    offsetsMs.map(async (offsetMs) => {
      const clock = ending.use(await openWallClock(offsetMs));
      const own = { ...settings, ...more, ...clock.settings, DATABASE_LISTEN_URL: feedWay.url };
      const { url, opsUrl } = ending.use(await startNode(own));
      return { url, opsUrl, clock };
    }),
  );
  let serial = 0;
  const kept = ending.move();
  return {
    nodes,
    urls: nodes.map(({ url }) => `${url}${population.path}`),
    population,
    silenceFeeds: (now: boolean) => feedWay.silence(now),
    async newToken(lifetimeMs?: number): Promise<ClockedToken> {
      serial += 1;
      const expiry = lifetimeMs === undefined ? 'never' : { in: lifetimeMs };
      const input = { name: `Token ${serial}`, format: 'paseto', scopes: ['*'], expiry } as const;
      const { secret, record } = unwrap(await store.issueToken(admin, input));
      return { secret, id: record.id, expiresAt: record.expiresAt ?? Number.POSITIVE_INFINITY };
    },
    revoke: async ({ id }: ClockedToken) => void unwrap(await store.revokeToken(admin, { id, reason: null })),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
