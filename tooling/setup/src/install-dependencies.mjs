import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { lockedPackages, packagesOnlyOf } from './locked-packages.mjs';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';

/**
 * Installs the packages in a workspace's lockfile. pnpm omits an optional package that cannot be fetched or does not
 * match its integrity, and succeeds; here that fails. Most of them are programs for one platform. If the workspace is
 * on another file system than the home folder, pnpm would link to a store at the top of that file system, where another
 * user may have put one.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [except] the folders of packages whose dependencies are not installed, and not removed either
 */
export async function installDependencies(root, env, except = []) {
  const data = env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  const { succeeded, output } = await runQuietly(
    'pnpm',
    [
      ...['install', '--frozen-lockfile', '--store-dir', join(data, 'pnpm', 'store')],
      ...except.flatMap((folder) => ['--filter', `!./${folder}`]),
    ],
    // With NODE_ENV=production, pnpm would omit the packages that tests need.
    { cwd: root, env: { ...env, NODE_ENV: 'development' } },
  );
  if (!succeeded) throw new SetUpError('pnpm could not install the dependencies: see above.', output);
  const missing = missingPackages(root, except);
  if (missing.length > 0) {
    throw new SetUpError(
      `pnpm left out ${missing.join(', ')}: they could not be fetched, or do not match pnpm-lock.yaml.`,
      output,
    );
  }
}

/**
 * Returns the locked packages that are missing and not meant for other machines, which pnpm lists as skipped.
 * @param {string} root
 * @param {readonly string[]} except
 * @returns {string[]} as `name@version`
 */
function missingPackages(root, except) {
  const modules = readFileSync(join(root, 'node_modules', '.modules.yaml'), 'utf8');
  // pnpm writes this YAML as JSON.
  const { skipped } = /** @type {{ skipped: string[] }} */ (JSON.parse(modules));
  const folders = readdirSync(join(root, 'node_modules', '.pnpm'));
  // A package with peers exists once for each set of them, which follows its version.
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  const unwanted = packagesOnlyOf(except, lockfile);
  return lockedPackages(lockfile).filter(
    (name) =>
      !unwanted.has(name) &&
      !skipped.some((other) => other === name || other.startsWith(`${name}(`)) &&
      !folders.some((folder) => folder === folderOf(name) || folder.startsWith(`${folderOf(name)}_`)),
  );
}

/** @param {string} name */
function folderOf(name) {
  return name.replace('/', '+');
}
