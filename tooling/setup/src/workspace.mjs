import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** The folder of the tools that the set-up installs; removing it undoes the set-up. */
export const TOOLCHAIN = join(ROOT, '.toolchain');

/** The package with the browser of the tests, whose dependencies `npm start` leaves out. */
export const BROWSER = 'tooling/browser';
