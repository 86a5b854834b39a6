export type { Materials } from './bill-of-materials.ts';
export { buildKit } from './build-kit.ts';
export { emitKit } from './emit-kit.ts';
export { LOCKFILE, lockedLibraries, lockedVersion } from './locked-libraries.ts';
export { BILL_OF_MATERIALS, type PackedManifest, packFolder } from './pack-folder.ts';
export { type LibraryOptions, packLibrary } from './pack-library.ts';
export { ROOT, run } from './run.ts';
