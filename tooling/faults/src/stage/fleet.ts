import type { TokenId } from '@gatehouse/domain/tokens';
import { openSilenceableProxy, type SilenceableProxy } from '@gatehouse/test-database';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { type ServerNode, type Settings, startNode } from './node.ts';
import { type Population, populate } from './population.ts';
import { freePorts } from './ports.ts';
import { openInstallation, unwrap } from './store.ts';

export interface FleetOptions {
  readonly databaseUrl: string;
  /** One server for each entry: which of its connections can be made to fail. */
  readonly servers: readonly ('none' | 'feed' | 'everything')[];
  /** Additional settings of each server. */
  readonly more?: Settings;
  /** Changes haproxy's configuration. */
  readonly change?: (configuration: string) => string;
}

/** Servers on one database behind haproxy, and an admin who creates and revokes tokens directly. */
export interface Fleet extends AsyncDisposable {
  readonly nodes: readonly ServerNode[];
  readonly proxy: Haproxy;
  readonly population: Population;
  readonly settings: Settings;
  /** The proxy of the connections that can be made to fail. */
  readonly way: SilenceableProxy;
  newToken(): Promise<FleetToken>;
  revoke(token: FleetToken): Promise<void>;
}

export interface FleetToken {
  readonly id: TokenId;
  readonly secret: string;
}

export async function openFleet({ databaseUrl, servers, more, change }: FleetOptions): Promise<Fleet> {
  await using ending = new AsyncDisposableStack();
  const settings = { DATABASE_URL: databaseUrl, GATEHOUSE_MASTER_KEY: 'A'.repeat(43) };
  const population = await populate(settings);
  const store = ending.use(openInstallation(settings));
  const admin = unwrap(await store.actAs(population.email, 'test'));
  const way = await openSilenceableProxy(databaseUrl);
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
  const proxy = ending.use(await startHaproxy(port, backends, change));
  let serial = 0;
  const kept = ending.move();
  return {
    nodes,
    proxy,
    population,
    settings,
    way,
    async newToken() {
      serial += 1;
      const input = { name: `Fleet ${serial}`, format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
      const { secret, record } = unwrap(await store.issueToken(admin, input));
      return { id: record.id, secret };
    },
    revoke: async ({ id }) => void unwrap(await store.revokeToken(admin, { id, reason: null })),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const portOf = (url: string) => Number(new URL(url).port);
