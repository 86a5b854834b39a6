import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';

/**
 * Installs the packages in a workspace's lockfile. pnpm omits an optional package that cannot be fetched or does not match
 * its integrity, and succeeds; here that fails. Most of them are programs for one platform. On another file system than
 * that of the home folder, pnpm would link to a store at its top, where another user may have put one.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function installDependencies(root, env) {
  const data = env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  const { succeeded, output } = await runQuietly(
    'pnpm',
    ['install', '--frozen-lockfile', '--store-dir', join(data, 'pnpm', 'store')],
    // In production pnpm would omit what the tests need.
    { cwd: root, env: { ...env, NODE_ENV: 'development' } },
  );
  if (!succeeded) throw new SetUpError('pnpm could not install the dependencies: see above.', output);
  const missing = missingPackages(root);
  if (missing.length > 0) {
    throw new SetUpError(
      `pnpm left out ${missing.join(', ')}: what the npm registry sent could not be fetched, or is not what pnpm-lock.yaml names.`,
      output,
    );
  }
}

/**
 * Returns the locked packages that are missing and not meant for other machines, which pnpm lists as skipped.
 * @param {string} root
 * @returns {string[]} as `name@version`
 */
function missingPackages(root) {
  const modules = readFileSync(join(root, 'node_modules', '.modules.yaml'), 'utf8');
  // pnpm writes this YAML as JSON.
  const { skipped } = /** @type {{ skipped: string[] }} */ (JSON.parse(modules));
  const folders = readdirSync(join(root, 'node_modules', '.pnpm'));
  // A package with peers exists once for each set of them, which follows its version.
  return lockedPackages(root).filter(
    (name) =>
      !skipped.some((other) => other === name || other.startsWith(`${name}(`)) &&
      !folders.some((folder) => folder === folderOf(name) || folder.startsWith(`${folderOf(name)}_`)),
  );
}

/** @param {string} name */
function folderOf(name) {
  return name.replace('/', '+');
}

/** @param {string} root */
function lockedPackages(root) {
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  const packages = lockfile.split('\npackages:\n')[1]?.split(/^\S/m)[0] ?? '';
  return [...packages.matchAll(/^ {2}'?([^\s']+@[^\s':]+)'?:$/gm)].map(([, name]) => String(name));
}
