import { fileURLToPath } from 'node:url';
import type { Entrant } from './load/rounds.ts';
import type { DirectorySize } from './population/directory.ts';
import type { Store } from './population/store.ts';
import { createTokensInUse } from './population/tokens-in-use.ts';
import { startGatehouse } from './servers/gatehouse.ts';
import { startServer } from './servers/server-process.ts';
import type { Stage } from './stage.ts';

/** All contestants answer with the same organization. */
export const CONTESTANTS = {
  'bare-node-http': 'bare `node:http`, constant answer',
  'bare-h3': 'bare h3, constant answer',
  warm: 'Gatehouse, token and organization known',
  cold: 'Gatehouse, every token new',
  uncached: 'Gatehouse, caches off',
  fastify: 'hand-written: Fastify, @fastify/jwt, pg',
  'better-auth': 'Better Auth with API keys and organizations',
} as const;

export type ContestantId = keyof typeof CONTESTANTS;

export interface Contestant extends Entrant {
  readonly id: ContestantId;
}

export interface ComparisonSetup {
  readonly stage: Stage;
  readonly store: Store;
  readonly size: DirectorySize;
  readonly seconds: number;
  /** The number of loads, including the warm-up. */
  readonly turns: number;
}

const CONNECTIONS = 32;
/** Requests that the load generator may have built but not sent when it stops. */
const UNSENT = 4 * CONNECTIONS;
/** Below what any machine reaches: a load of tokens used once takes about as long as the others. */
const COLD_PER_SECOND = 1_500;

const NO_CACHES = { CACHE_TOKENS: '0', CACHE_ORGANIZATIONS: '0', CACHE_MEMBERSHIPS: '0' };

/** Starts all contestants, in the order of the table. */
export async function startContestants(
  setup: ComparisonSetup,
  resources: AsyncDisposableStack,
): Promise<readonly Contestant[]> {
  const { stage, store, size, seconds, turns } = setup;
  const amount = Math.ceil(COLD_PER_SECOND * seconds);
  const slice = amount + UNSENT;
  const [one] = await createTokensInUse(store, size, { count: 1, prefix: 'Warm' });
  const [jwt] = await createTokensInUse(store, size, { count: 1, prefix: 'By hand', format: 'jwt' });
  const many = await createTokensInUse(store, size, { count: slice * turns, prefix: 'Cold' });
  if (!one || !jwt) throw new Error('there are no tokens');

  const known = await stage.writeRequests('warm', [one.request]);
  const byHand = await stage.writeRequests('fastify', [jwt.request]);
  const fresh = await stage.writeRequests(
    'cold',
    many.map(({ request }) => request),
  );
  const again = (requests: string) => () =>
    ({ requests, pick: 'in-order', connections: CONNECTIONS, seconds }) as const;

  const gatehouse = async (settings: Readonly<Record<string, string>> = {}) =>
    resources.use(
      await startGatehouse({
        databaseUrl: store.url,
        masterKey: stage.masterKey,
        cores: stage.cores?.server,
        settings,
      }),
    );
  const peer = async (name: string, env: Readonly<Record<string, string>>) =>
    resources.use(
      await startServer({
        program: fileURLToPath(new URL(`contestants/${name}.ts`, import.meta.url)),
        env,
        cores: stage.cores?.server,
      }),
    );

  const warm = await gatehouse();
  const { path, headers } = one.request;
  const BODY = await (await fetch(`${warm.announcement.url}${path}`, { headers })).text();
  const betterAuth = await peer('better-auth', { DATABASE_URL: await stage.createDatabase('better_auth') });
  const { request: itsOwn } = betterAuth.announcement;
  if (!itsOwn) throw new Error('Better Auth does not say how to ask it');

  return [
    { id: 'bare-node-http', server: await peer('bare-node-http', { BODY }), plan: again(known) },
    { id: 'bare-h3', server: await peer('bare-h3', { BODY }), plan: again(known) },
    { id: 'warm', server: warm, plan: again(known) },
    {
      id: 'cold',
      server: await gatehouse(),
      plan: (turn) => ({
        requests: fresh,
        pick: 'in-order',
        offset: turn * slice,
        connections: CONNECTIONS,
        amount,
      }),
    },
    { id: 'uncached', server: await gatehouse(NO_CACHES), plan: again(known) },
    {
      id: 'fastify',
      server: await peer('fastify-by-hand', { DATABASE_URL: store.url }),
      plan: again(byHand),
    },
    {
      id: 'better-auth',
      server: betterAuth,
      plan: again(await stage.writeRequests('better-auth', [itsOwn])),
    },
  ];
}
