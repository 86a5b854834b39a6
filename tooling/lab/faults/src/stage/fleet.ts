import { freePorts, openSilenceableProxy, type SilenceableProxy } from '@gatehouse/test-database';
import { type Admin, adminOf } from './admin.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { type ServerNode, type Settings, startNode } from './node.ts';
import { openPopulated, type Population, populate, settingsOf } from './population.ts';
import { openInstallation } from './store.ts';

export interface FleetOptions {
  /** An empty database. Default: one of this run's PostgreSQL. */
  readonly databaseUrl?: string;
  /** One server for each entry: which of its connections can be made to fail. */
  readonly servers: readonly ('none' | 'feed' | 'everything')[];
  /** Additional settings of each server. */
  readonly more?: Settings;
  /** Changes haproxy's configuration. */
  readonly change?: (configuration: string) => string;
}

/** Servers on one populated database behind haproxy. */
export interface Fleet extends AsyncDisposable {
  readonly nodes: readonly ServerNode[];
  readonly proxy: Haproxy;
  readonly population: Population;
  readonly settings: Settings;
  /** The proxy of the connections that can be made to fail. */
  readonly way: SilenceableProxy;
  readonly admin: Admin;
}

export async function openFleet({ databaseUrl, servers, more, change }: FleetOptions): Promise<Fleet> {
  await using ending = new AsyncDisposableStack();
  const { settings, ...population } =
    databaseUrl === undefined
      ? ending.use(await openPopulated())
      : { ...(await populate(settingsOf(databaseUrl))), settings: settingsOf(databaseUrl) };
  const store = ending.use(openInstallation(settings));
  const way = await openSilenceableProxy(settings.DATABASE_URL ?? '');
  ending.defer(() => way.close());
  const failing = {
    none: {},
    feed: { DATABASE_LISTEN_URL: way.url },
    everything: { DATABASE_URL: way.url },
  };
  const nodes = await Promise.all(
    servers.map(async (what) => ending.use(await startNode({ ...settings, ...more, ...failing[what] }))),
  );
  const backends = nodes.map(({ url, opsUrl }) => ({ port: portOf(url), opsPort: portOf(opsUrl) }));
  const [port = 0] = await freePorts(1);
  const proxy = ending.use(await startHaproxy(port, backends, { change }));
  const admin = await adminOf(store, population.email);
  const kept = ending.move();
  return {
    nodes,
    proxy,
    population,
    settings,
    way,
    admin,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const portOf = (url: string) => Number(new URL(url).port);
