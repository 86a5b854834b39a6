import { CONNECTIONS } from './load/plan.ts';
import type { Entrant } from './load/rounds.ts';
import type { Effort } from './options.ts';
import type { Directory } from './population/directory.ts';
import { newTokensEachTurn } from './population/new-tokens.ts';
import { createRequest } from './population/tokens-in-use.ts';
import { startGatehouse } from './servers/gatehouse.ts';
import { type Peer, startBetterAuth, startPeer } from './servers/peers.ts';

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

/** Settings of a server that answers from the database. */
export const NO_CACHES = { CACHE_TOKENS: '0', CACHE_ORGANIZATIONS: '0', CACHE_MEMBERSHIPS: '0' };

/** Starts all contestants, in the order of the table. */
export async function startContestants(
  directory: Directory,
  effort: Effort,
  resources: AsyncDisposableStack,
): Promise<readonly Contestant[]> {
  const { stage, url } = directory;
  const one = await createRequest(directory, 'Warm');
  const jwt = await createRequest(directory, 'By hand', 'jwt');
  const cold = await newTokensEachTurn(directory, effort, 'cold');

  const known = await stage.writeRequests('warm', [one]);
  const byHand = await stage.writeRequests('fastify', [jwt]);
  const again = (requests: string) => () =>
    ({ requests, pick: 'in-order', connections: CONNECTIONS, seconds: effort.seconds }) as const;

  const gatehouse = async (settings?: Readonly<Record<string, string>>) =>
    resources.use(await startGatehouse(directory, settings));
  const peer = async (name: Peer, env: Readonly<Record<string, string>>) =>
    resources.use(await startPeer(stage, name, env));

  const warm = await gatehouse();
  const BODY = await (await fetch(`${warm.announcement.url}${one.path}`, { headers: one.headers })).text();
  const betterAuth = await startBetterAuth(stage, 'better_auth', effort.seconds);
  resources.use(betterAuth.server);

  return [
    { id: 'bare-node-http', server: await peer('bare-node-http', { BODY }), plan: again(known) },
    { id: 'bare-h3', server: await peer('bare-h3', { BODY }), plan: again(known) },
    { id: 'warm', server: warm, plan: again(known) },
    { id: 'cold', server: await gatehouse(), plan: cold },
    { id: 'uncached', server: await gatehouse(NO_CACHES), plan: again(known) },
    { id: 'fastify', server: await peer('fastify-by-hand', { DATABASE_URL: url }), plan: again(byHand) },
    { id: 'better-auth', ...betterAuth },
  ];
}
