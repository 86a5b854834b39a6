export { siteFaults } from './built/site-faults.ts';
export { listPages } from './pages.ts';
export { serveSite } from './serve-site.ts';
