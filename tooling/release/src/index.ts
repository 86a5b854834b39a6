export { buildRelease } from './build-release.ts';
export { readSource } from './source.ts';
export type { Prove } from './trial/try-own-database.ts';
export { tryRelease } from './trial/try-release.ts';
export { verifyRelease } from './verify-release.ts';
