import type { LoadRequest } from '../../load/plan.ts';
import { type Database, databaseOf } from '../../machine/database-usage.ts';
import type { Directory } from '../../population/directory.ts';
import { startPeer } from '../../servers/peers.ts';
import type { ServerProcess } from '../../servers/server-process.ts';
import { type BenchService, createServiceTokens } from './services.ts';

/** The same service, with different ways to find out whether it may answer. */
export const GUARDS = {
  bare: 'no check: bare `node:http`',
  verifier: 'our verifier, token known',
  signature: 'the signature alone (accepts revoked tokens)',
  gatehouse: 'introspection for each request, at Gatehouse',
  'oidc-provider': 'introspection for each request, at oidc-provider',
} as const;

export type Guard = keyof typeof GUARDS;

/** A service that was started, and what else works for its requests. */
export interface GuardedService {
  readonly guard: Guard;
  readonly server: ServerProcess;
  readonly authority?: ServerProcess;
  readonly database?: Database;
  /** A file with its request. */
  readonly requests: string;
}

/** Every service answers with this. */
export const BODY = JSON.stringify([{ id: 1, account: 1, item: 'a book' }]);

/** Starts the service once for each way. */
export async function startGuardedServices(
  directory: Directory,
  gatehouse: ServerProcess,
  service: BenchService,
  resources: AsyncDisposableStack,
): Promise<readonly GuardedService[]> {
  const { stage } = directory;
  const { scope, credential } = service;
  const { url: GATEHOUSE_URL } = gatehouse.announcement;
  const start = async (...[name, env]: [Parameters<typeof startPeer>[1], Record<string, string>]) =>
    resources.use(await startPeer(stage, name, { BODY, SCOPE: scope, GATEHOUSE_URL, ...env }));
  const write = (name: string, request: LoadRequest | undefined) => {
    if (!request) throw new Error(`there is no request for ${name}`);
    return stage.writeRequests(`orders-${name}`, [{ ...request, path: '/orders' }]);
  };

  const [jwt] = await createServiceTokens(directory, service, 1, 'Signature', 'jwt');
  const [paseto] = await createServiceTokens(directory, service, 1, 'Orders');
  const requests = await write('paseto', paseto?.request);
  const peer = await start('oidc-provider', {});
  const ask = (INTROSPECTION_URL: string, INTROSPECTION_AUTHORIZATION: string) =>
    start('orders-introspection', { INTROSPECTION_URL, INTROSPECTION_AUTHORIZATION });

  return [
    { guard: 'bare', server: await start('bare-node-http', {}), requests },
    {
      guard: 'verifier',
      server: await start('orders-verifier', { GATEHOUSE_CREDENTIAL: credential }),
      requests,
    },
    {
      guard: 'signature',
      server: await start('orders-signature', {}),
      requests: await write('jwt', jwt?.request),
    },
    {
      guard: 'gatehouse',
      server: await ask(`${GATEHOUSE_URL}/api/v1/introspect`, `Bearer ${credential}`),
      authority: gatehouse,
      database: await databaseOf(directory),
      requests,
    },
    {
      guard: 'oidc-provider',
      server: await ask(peer.announcement.url, `${peer.announcement.authorization}`),
      authority: peer,
      requests: await write('oidc-provider', peer.announcement.request),
    },
  ];
}
