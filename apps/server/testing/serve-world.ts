import { getOrganization } from '@gatehouse/domain/organizations';
import { signIn } from '@gatehouse/domain/sign-in';
import { listPublicKeys } from '@gatehouse/domain/signing-keys';
import { createWorld, type World } from '@gatehouse/domain/testing';
import { authenticateToken, type TokenFormat } from '@gatehouse/domain/tokens';
import { type AppPorts, createApp } from '../src/app.ts';
import { createClientAddress } from '../src/http/client-address.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../src/http/http-server.ts';
import type { Lifecycle } from '../src/http/lifecycle.ts';
import { createRefusalLog } from '../src/http/refusal-log.ts';
import { type RecordedLog, recordLog } from './log.ts';

export interface ServedWorld extends AsyncDisposable, RecordedLog {
  readonly url: string;
  readonly world: World;
  readonly lifecycle: Lifecycle;
  readonly server: HttpServer;
}

export interface ServeOptions {
  readonly format?: TokenFormat;
  readonly timeLimits?: HttpServerOptions['timeLimits'];
  readonly connections?: HttpServerOptions['connections'];
  readonly pipelineLimits?: HttpServerOptions['pipelineLimits'];
  readonly recordLimit?: HttpServerOptions['recordLimit'];
  /** Replaces ports and use cases, given the world of all others. */
  readonly replace?: (world: World) => Partial<AppPorts>;
}

/** Starts a server with all adapters in memory. */
export async function serveWorld(options: ServeOptions = {}): Promise<ServedWorld> {
  const { format = 'paseto', timeLimits = {}, replace = () => ({}) } = options;
  const { connections, pipelineLimits, recordLimit } = options;
  const world = await createWorld();
  const lifecycle: Lifecycle = { stage: 'serving' };
  const recorded = recordLog();
  const clientAddress = createClientAddress(undefined);
  const app = createApp({
    authenticateToken: authenticateToken(world),
    getOrganization: getOrganization(world),
    signIn: signIn({ ...world, format, lifetimeMs: 30 * 86_400_000 }),
    listPublicKeys: listPublicKeys(world),
    usage: world.usage,
    clientAddress,
    refusalLog: createRefusalLog(recorded.log, clientAddress, { inc: () => undefined }),
    signIns: { inc: () => undefined },
    issuedFormat: format,
    lifecycle,
    log: recorded.log,
    ...replace(world),
  });
  const server = createHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    timeLimits,
    ...(connections && { connections }),
    ...(pipelineLimits && { pipelineLimits }),
    ...(recordLimit && { recordLimit }),
  });
  await server.listen();
  return {
    ...recorded,
    url: server.url,
    world,
    lifecycle,
    server,
    async [Symbol.asyncDispose]() {
      server.node.closeAllConnections();
      server.node.close();
    },
  };
}
