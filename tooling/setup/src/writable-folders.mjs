import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { TOOLCHAIN } from './workspace.mjs';

/** The folders that npm and pnpm write to outside of the checkout, by the variable that names them, with their defaults. */
const FOLDERS = {
  npm_config_cache: ['.npm'],
  XDG_CACHE_HOME: ['.cache'],
  XDG_DATA_HOME: ['.local', 'share'],
  XDG_STATE_HOME: ['.local', 'state'],
};

/**
 * Returns an environment in which npm and pnpm can write: a folder that cannot be made or written, such as one of a read-only
 * home, is replaced by one of the checkout.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [toolchain]
 * @returns {{ env: NodeJS.ProcessEnv, replaced: readonly string[] }} `replaced`: the folders that cannot be written
 */
export function withWritableFolders(env, toolchain = TOOLCHAIN) {
  const home = env.HOME || homedir();
  const unusable = Object.entries(FOLDERS)
    .map(([variable, names]) => ({ variable, folder: env[variable] || join(home, ...names) }))
    .filter(({ folder }) => !canWrite(folder));
  const own = unusable.map(({ variable }) => [variable, join(toolchain, 'home', variable)]);
  return { env: { ...env, ...Object.fromEntries(own) }, replaced: unusable.map(({ folder }) => folder) };
}

/**
 * Whether a folder can be written, or made where the first of its parents is.
 * @param {string} folder
 * @returns {boolean}
 */
function canWrite(folder) {
  try {
    if (!statSync(folder).isDirectory()) return false;
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const isMissing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
    return isMissing && dirname(folder) !== folder && canWrite(dirname(folder));
  }
}
