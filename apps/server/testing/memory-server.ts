import { getOrganization, listReadableOrganizations } from '@gatehouse/domain/organizations';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import {
  authenticateService,
  introspectToken,
  refreshTokens,
  reportTokenUses,
  verifyScope,
} from '@gatehouse/domain/services';
import { signIn } from '@gatehouse/domain/sign-in';
import { listPublicKeys } from '@gatehouse/domain/signing-keys';
import { apiToken, createWorld, populate, type World } from '@gatehouse/domain/testing';
import { authenticateToken, authenticateUnrecorded, type TokenFormat } from '@gatehouse/domain/tokens';
import type { Extension } from '@gatehouse/extension-kit';
import { createClientAddress } from '@gatehouse/front';
import { pagesInMemory, visitorsOf } from '@gatehouse/pages/testing';
import { type AppPorts, createApp } from '../src/app.ts';
import type { Lifecycle } from '../src/http/lifecycle.ts';
import { createRefusalLog } from '../src/logging/request-logs.ts';
import type { HttpServerOptions } from '../src/start/http-server.ts';
import { type Call, call, postSignIn } from './client.ts';
import { givenOrders } from './given-orders.ts';
import { listen } from './listen.ts';
import { recordLog } from './log.ts';
import { tokenChangesInMemory } from './memory-token-changes.ts';
import { REGISTERED, registeredIn } from './registered.ts';

type Limits = Pick<HttpServerOptions, 'timeLimits' | 'connections' | 'pipelineLimits' | 'recordLimit'>;

export interface MemoryOptions extends Limits {
  readonly format?: TokenFormat;
  /** Default: those of the installation, and the example. */
  readonly extensions?: readonly Extension[];
  /** Replaces ports and use cases, maybe by some of the world of all others. */
  readonly ports?: Partial<AppPorts> | ((world: World) => Partial<AppPorts>);
}

export type MemoryServer = Awaited<ReturnType<typeof startInMemory>>;

/** Starts a server with all adapters in memory, and with people. */
export async function startInMemory(options: MemoryOptions = {}) {
  const { format = 'paseto', extensions = REGISTERED, ports = {}, ...limits } = options;
  const world = { ...(await createWorld()), catalog: createCatalog([...BUILT_IN, ...extensions]) };
  const registered = await registeredIn(world, extensions);
  const lifecycle: Lifecycle = { stage: 'serving' };
  const recorded = recordLog();
  const app = createApp({
    authenticateToken: authenticateToken(world),
    authenticateUnrecorded: authenticateUnrecorded(world),
    authenticateService: authenticateService(world),
    introspectToken: introspectToken(world),
    refreshTokens: refreshTokens(world),
    reportTokenUses: reportTokenUses({ ...world, pause: async () => undefined }),
    verifyScope: verifyScope(world),
    ...tokenChangesInMemory(world),
    issuer: world.issuer,
    getOrganization: getOrganization(world),
    listReadableOrganizations: listReadableOrganizations(world),
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
    pages: pagesInMemory(world),
    ...(typeof ports === 'function' ? ports(world) : ports),
  });
  const people = await populate(world);
  const listening = await listen(app, limits);
  const { url } = listening;
  let issued: ReturnType<typeof apiToken> | undefined;
  /** An API token of the admin, which is issued when a test first asks for it. */
  const adminToken = async () => {
    issued ??= apiToken(world, people.admin);
    return (await issued).secret;
  };
  let orders: ReturnType<typeof createOrders> | undefined;
  const createOrders = async () => ({
    ...(await givenOrders(world)),
    token: await apiToken(world, people.admin, { scopes: ['*', 'orders:read'], expiry: { in: 60_000 } }),
  });
  return {
    ...recorded,
    ...listening,
    ...visitorsOf(url),
    world,
    people,
    lifecycle,
    /** The examples of each extension. */
    examples: registered.map((each) => each.examples),
    useCases: registered.map((each) => each.useCases),
    adminToken,
    /** The service `orders`, and a token of the admin with one of its scopes. Created when a test first asks for them. */
    orders: () => {
      orders ??= createOrders();
      return orders;
    },
    /** Sends a request with `adminToken`, unless it has another one. */
    get: async (path: string, request: Call = {}) =>
      call(url, path, { token: await adminToken(), ...request }),
    /** Signs in with any body. */
    post: (body: NonNullable<Call['body']>, type?: string, headers?: Readonly<Record<string, string>>) =>
      postSignIn(url, body, type, headers),
  };
}
