export { createPages } from './pages.ts';
export { API_TOKENS } from './paths.ts';
export type { PagesPorts, Recorded } from './ports.ts';
export { createFindSite } from './site/site.ts';
