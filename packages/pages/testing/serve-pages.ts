import { createOpenApiDocument } from '@gatehouse/api-contract';
import { BUILT_IN, createCatalog, type Resource } from '@gatehouse/domain/resources';
import { createWorld, type Population, populate, type World } from '@gatehouse/domain/testing';
import { createClientAddress } from '@gatehouse/front';
import { createRequestHandler } from '@gatehouse/http';
import { serveHandler } from '@gatehouse/http/testing';
import { createPages } from '../src/pages.ts';
import type { PagesPorts } from '../src/ports.ts';
import { createFindSite } from '../src/site/site.ts';
import { pagesInMemory, type ReplacedParts } from './pages-in-memory.ts';
import { recordLines } from './record-lines.ts';
import { visitorsOf } from './visitors-of.ts';

/** A server of pages with users, in memory. */
export interface PageScene extends ReturnType<typeof visitorsOf> {
  readonly url: string;
  readonly world: World;
  readonly people: Population;
}

interface ServePagesOptions<Given extends object> extends ReplacedParts {
  /** Resources besides the built-in ones. */
  readonly resources?: readonly Resource[];
  /** Stores further data that a test needs. The scene then also has the returned members. */
  readonly given?: (scene: PageScene) => Promise<Given> | Given;
}

/** Serves the pages without the routes of the API, for visitors on this machine. */
export async function servePages<Given extends object = object>(options: ServePagesOptions<Given> = {}) {
  const { resources = [], given, ...replaced } = options;
  const world = { ...(await createWorld()), catalog: createCatalog([...BUILT_IN, ...resources]) };
  const { log, ...recorded } = recordLines();
  const lifecycle = { isDraining: false };
  const pages = createPages({
    ...pagesInMemory(world, replaced),
    recorded: unrecorded,
    findSite: createFindSite(undefined),
    describe: () => createOpenApiDocument('paseto'),
    issuedFormat: 'paseto',
    isDraining: () => lifecycle.isDraining,
    log,
  });
  const handle = createRequestHandler({ log, clientAddress: createClientAddress(undefined) }, {}, pages);
  const served = await serveHandler(handle);
  const { url } = served;
  const scene: PageScene = { url, world, people: await populate(world), ...visitorsOf(url) };
  const extras = (await given?.(scene)) as Given;
  const { [Symbol.asyncDispose]: dispose } = served;
  const rest: Omit<typeof scene, keyof Given> = scene;
  return { ...rest, ...recorded, ...extras, lifecycle, [Symbol.asyncDispose]: dispose };
}

/** Runs sign-ins without counting or logging them. */
export const unrecorded: PagesPorts['recorded'] = (signIn) => (request, credentials) =>
  signIn({ ...credentials, address: request.address } as Parameters<typeof signIn>[0]);
