import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { createPages } from '../src/pages.ts';
import type { PagesPorts } from '../src/ports.ts';

/** The ports that `createPages` reads before a request comes. Without the others, the endpoints answer no request. */
const PORTS = { useCases: {}, catalog: createCatalog(BUILT_IN) } as PagesPorts;

/** The endpoints of all pages by path. A test that asks each of them also asks a page that is added later. */
export const pageEndpoints = createPages(PORTS).endpoints;
