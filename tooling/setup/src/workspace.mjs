import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** The folder of the tools that the set-up installs; removing it undoes the set-up. */
export const TOOLCHAIN = join(ROOT, '.toolchain');

/**
 * The packages whose dependencies `npm start` leaves out, by the option that asks for them: `--browser` for the browser of
 * the tests, `--site` for the tools that build the documentation site.
 */
export const PARTS = Object.freeze({ browser: 'tooling/browser', site: 'tooling/site' });

/** @typedef {keyof typeof PARTS} Part */

/** @type {readonly Part[]} */
export const ALL_PARTS = Object.freeze(['browser', 'site']);

/** @type {(arg: string | undefined) => readonly Part[]} */
export const partsOf = (arg) => ALL_PARTS.filter((part) => arg === `--${part}`);
