import { setTimeout as delay } from 'node:timers/promises';
import { getOrganization } from '@gatehouse/domain/organizations';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { signIn } from '@gatehouse/domain/sign-in';
import { listPublicKeys } from '@gatehouse/domain/signing-keys';
import { createSequentialTokenIds, createWorld, type World } from '@gatehouse/domain/testing';
import { authenticateToken, type TokenFormat } from '@gatehouse/domain/tokens';
import type { Extension } from '@gatehouse/extension-kit';
import { createClientAddress } from '@gatehouse/front';
import { createUseCases } from '@gatehouse/installation';
import { type AppPorts, createApp } from '../src/app.ts';
import type { Lifecycle } from '../src/http/lifecycle.ts';
import { createRefusalLog } from '../src/logging/refusal-log.ts';
import { createSessionUseCases } from '../src/sessions/session-use-cases.ts';
import type { HttpServerOptions } from '../src/start/http-server.ts';
import { recordLog } from './log.ts';
import { REGISTERED, registeredIn } from './registered.ts';
import { serveApp } from './serve-app.ts';

export type ServedWorld = Awaited<ReturnType<typeof serveWorld>>;

type ServerOptions = Pick<HttpServerOptions, 'timeLimits' | 'connections' | 'pipelineLimits' | 'recordLimit'>;

export interface ServeOptions extends ServerOptions {
  readonly format?: TokenFormat;
  /** Default: those of the installation, and the example. */
  readonly extensions?: readonly Extension[];
  /** Replaces ports and use cases, given the world of all others. */
  readonly replace?: (world: World) => Partial<AppPorts>;
}

/** Starts a server with all adapters in memory. */
export async function serveWorld(options: ServeOptions = {}) {
  const { format = 'paseto', extensions = REGISTERED, replace = () => ({}), ...serverOptions } = options;
  const world = { ...(await createWorld()), catalog: createCatalog([...BUILT_IN, ...extensions]) };
  const registered = await registeredIn(world, extensions);
  const lifecycle: Lifecycle = { stage: 'serving' };
  const recorded = recordLog();
  const app = createApp({
    authenticateToken: authenticateToken(world),
    getOrganization: getOrganization(world),
    signIn: signIn({ ...world, format, lifetimeMs: 30 * 86_400_000 }),
    listPublicKeys: listPublicKeys(world),
    usage: world.usage,
    clientAddress: createClientAddress(undefined),
    refusalLog: createRefusalLog(recorded.log, { inc: () => undefined }),
    signIns: { inc: () => undefined },
    issuedFormat: format,
    extensions: registered.map(({ served }) => served),
    lifecycle,
    log: recorded.log,
    pages: worldPages(world),
    ...replace(world),
  });
  const examples = registered.map((each) => each.examples);
  const useCases = registered.map((each) => each.useCases);
  return { ...recorded, ...(await serveApp(app, serverOptions)), world, examples, useCases, lifecycle };
}

/** What the pages of a world are made from. */
export function worldPages(world: World): NonNullable<AppPorts['pages']> {
  return {
    catalog: world.catalog,
    clock: world.clock,
    // Forms are dated by their ids.
    ids: createSequentialTokenIds(world.clock),
    pause: (milliseconds: number) => delay(milliseconds),
    useCases: { ...createUseCases(world), ...createSessionUseCases(world) },
    onPageOf: (_, work) => work(),
  };
}
