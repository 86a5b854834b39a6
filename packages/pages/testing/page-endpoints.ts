import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { createPages } from '../src/pages.ts';
import type { PagesPorts } from '../src/ports.ts';

/** The ports that `createPages` reads before the first request. The others are missing, so the pages cannot answer. */
const PORTS = { useCases: {}, catalog: createCatalog(BUILT_IN) } as PagesPorts;

/** The endpoints of all pages by path. Tests that request every page take the paths from here. */
export const pageEndpoints = createPages(PORTS).endpoints;
