export type { NoteSignIn } from './note-sign-in.ts';
export type { PageUseCases } from './page-use-cases.ts';
export { createPages, type PagesPorts } from './pages.ts';
export { API_TOKENS } from './paths.ts';
export { createFindSite, type FindSite, type NoSite, type Site } from './site/site.ts';
