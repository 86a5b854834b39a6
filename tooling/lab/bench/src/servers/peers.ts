import { fileURLToPath } from 'node:url';
import { CONNECTIONS, type LoadPlan } from '../load/plan.ts';
import type { Stage } from '../stage.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** The name of its file. */
export type Peer =
  | 'bare-node-http'
  | 'bare-cluster'
  | 'bare-h3'
  | 'fastify-by-hand'
  | 'better-auth'
  | 'oidc-provider'
  | 'orders-verifier'
  | 'orders-signature'
  | 'orders-introspection';

/** Starts a program of `contestants` on the server's core. */
export function startPeer(
  stage: Stage,
  name: Peer,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  return startPeerOn(name, env, stage.cores?.server);
}

/** Starts a program of `contestants` on these cores. */
export function startPeerOn(
  name: Peer,
  env: Readonly<Record<string, string>>,
  cores: string | undefined,
): Promise<ServerProcess> {
  const program = fileURLToPath(new URL(`../contestants/${name}.ts`, import.meta.url));
  return startServer({ program, env, cores });
}

/** Starts Better Auth on a database of its own, which it fills itself; the load uses its only key. */
export async function startBetterAuth(stage: Stage, database: string, seconds: number) {
  const server = await startPeer(stage, 'better-auth', {
    DATABASE_URL: await stage.createDatabase(database),
  });
  const { request } = server.announcement;
  if (!request) throw new Error('Better Auth does not say how to ask it');
  const requests = await stage.writeRequests(database, [request]);
  const load: Omit<LoadPlan, 'url'> = { requests, pick: 'in-order', connections: CONNECTIONS, seconds };
  return { server, plan: () => load };
}
