export { listPages } from './pages.ts';
export { serveSite } from './serve-site.ts';
