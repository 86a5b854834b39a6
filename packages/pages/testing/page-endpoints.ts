import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { createPages } from '../src/pages.ts';
import type { PagesPorts } from '../src/ports.ts';

/** What `createPages` reads before a request comes. The other ports are missing, so these endpoints answer no request. */
const PORTS = { useCases: {}, catalog: createCatalog(BUILT_IN) } as PagesPorts;

/** The endpoints of all pages by path, for tests that ask each page, so that they ask a new page too. */
export const pageEndpoints = createPages(PORTS).endpoints;
