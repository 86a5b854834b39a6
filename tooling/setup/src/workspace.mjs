import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** What the set-up brings for this checkout only; removing the folder undoes it. */
export const TOOLCHAIN = join(ROOT, '.toolchain');
