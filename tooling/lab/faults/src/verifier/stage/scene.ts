import type { NarrowScope } from '@gatehouse/domain/access';
import type { ServiceName } from '@gatehouse/domain/services';
import { openRelay } from '@gatehouse/test-database';
import { startNodes } from '../../failover/start-nodes.ts';
import { type Admin, adminOf, type IssuedToken } from '../../stage/admin.ts';
import type { ServerNode, Settings } from '../../stage/node.ts';
import { EMAIL, openPopulated, settingsOf } from '../../stage/population.ts';
import { OPERATOR, openInstallation, type Store, unwrap } from '../../stage/store.ts';
import { type Service, startService } from './service.ts';
import { openWay, type Way } from './way.ts';

export interface ServerOptions {
  /** In addition to the settings of its database. */
  readonly more?: Settings;
  /** Carries what its change feed sends and gets. Default: a direct connection. */
  readonly feed?: NonNullable<NonNullable<Parameters<typeof openRelay>[1]>['carry']>;
}

export interface SceneOptions {
  /** Default: one server. */
  readonly servers?: readonly ServerOptions[];
  /** A populated database. Default: one of this run's PostgreSQL. */
  readonly databaseUrl?: string;
  /** The settings of the verifier's process, for a sabotage twin. */
  readonly verifier?: Settings;
}

/** A service with the verifier, on servers of one database. */
export interface Scene extends AsyncDisposable {
  readonly nodes: readonly ServerNode[];
  readonly settings: Settings;
  readonly way: Way;
  readonly service: Service;
  readonly store: Store;
  readonly admin: Admin;
  readonly email: string;
  /** Issues a token with the scopes of the service, or with others. */
  issue(scopes?: readonly string[]): Promise<IssuedToken>;
}

export const SERVICE = 'orders' as ServiceName;
export const READ = 'orders:read' as NarrowScope;

/** Creates the service `orders` with the scopes `orders:read` and `orders:write`. Returns its credential. */
export async function createOrders(store: Store) {
  unwrap(await store.createService(OPERATOR, { name: SERVICE, description: null, openTo: 'all' }));
  for (const word of ['read', 'write']) {
    const scope = { scope: `${SERVICE}:${word}`, label: `${word} orders`, allows: `May ${word} orders.` };
    unwrap(await store.addServiceScope(OPERATOR, scope));
  }
  return unwrap(await store.createServiceCredential(OPERATOR, { service: SERVICE, expiry: 'never' })).secret;
}

export async function openScene({
  servers = [{}],
  databaseUrl,
  verifier,
}: SceneOptions = {}): Promise<Scene> {
  await using ending = new AsyncDisposableStack();
  const settings =
    databaseUrl === undefined ? ending.use(await openPopulated()).settings : settingsOf(databaseUrl);
  const store = ending.use(openInstallation(settings));
  const credential = await createOrders(store);
  const admin = await adminOf(store, EMAIL);
  const nodes = await Promise.all(
    servers.map(async ({ more, feed }) => {
      const relay = feed && ending.use(await openRelay(settings.DATABASE_URL ?? '', { carry: feed }));
      const listening = relay && { DATABASE_LISTEN_URL: relay.url };
      const [node] = await startNodes(1, { ...settings, ...listening, ...more });
      return ending.use(node as ServerNode);
    }),
  );
  const way = ending.use(await openWay(nodes[0]?.url ?? ''));
  const service = ending.use(await startService(way.url, credential, verifier));
  const kept = ending.move();
  return {
    nodes,
    settings,
    way,
    service,
    store,
    admin,
    email: EMAIL,
    issue: (scopes = [READ]) => admin.issue({ scopes: scopes as NarrowScope[] }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
