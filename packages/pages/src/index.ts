export { pathTo } from './mail-links.ts';
export { createPages } from './pages.ts';
export { API_TOKENS } from './paths.ts';
export type { PagesPorts, Recorded, SignInFailure } from './ports.ts';
export { createFindSite } from './site/site.ts';
