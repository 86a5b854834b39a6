export { buildKit } from './build-kit.ts';
export { emitKit } from './emit-kit.ts';
export { type LibraryOptions, packLibrary } from './pack-library.ts';
export { ROOT, run } from './run.ts';
