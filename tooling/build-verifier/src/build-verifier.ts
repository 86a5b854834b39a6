import { join } from 'node:path';
import { packLibrary, ROOT } from '@gatehouse/build-kit';

/**
 * Packs the verifier as JavaScript with declarations.
 *
 * @returns the path of the tarball in `folder`
 * @throws Error with what the compiler says
 */
export const buildVerifier = (folder: string): string =>
  packLibrary(join(ROOT, 'packages/verifier'), { folder, oldestNode: '20' });
