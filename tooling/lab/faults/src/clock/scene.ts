import { openSilenceableProxy } from '@gatehouse/test-database';
import { adminOf } from '../stage/admin.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { openInstallation } from '../stage/store.ts';
import { openWallClock } from '../stage/wall-clock.ts';

export type Scene = Awaited<ReturnType<typeof openScene>>;
export type ClockedNode = Scene['nodes'][number];

/** Servers on one database, each with a wall clock that can be set, and a client with the right time. */
export async function openScene(offsetsMs: readonly number[], more: Settings = {}) {
  await using ending = new AsyncDisposableStack();
  const { settings, url: databaseUrl, email, path } = ending.use(await openPopulated());
  const store = ending.use(openInstallation(settings));
  // Their feeds can fall silent; their pools connect to the database directly.
  const feedWay = await openSilenceableProxy(databaseUrl);
  ending.defer(() => feedWay.close());
  const nodes = await Promise.all(
    offsetsMs.map(async (offsetMs) => {
      const clock = ending.use(await openWallClock(offsetMs));
      const own = { ...settings, ...more, ...clock.settings, DATABASE_LISTEN_URL: feedWay.url };
      const { url, opsUrl } = ending.use(await startNode(own));
      return { url, opsUrl, clock };
    }),
  );
  const admin = await adminOf(store, email);
  const kept = ending.move();
  return {
    nodes,
    urls: nodes.map(({ url }) => `${url}${path}`),
    admin,
    silenceFeeds: (now: boolean) => feedWay.silence(now),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
