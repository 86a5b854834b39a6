export type { NoteSignIn } from './note-sign-in.ts';
export { createPages, type PagesPorts } from './pages.ts';
export { API_TOKENS } from './paths.ts';
export { createFindSite } from './site/site.ts';
