import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';
import { filesForNpm } from './toolchain-lock.mjs';
import { ROOT, TOOLCHAIN } from './workspace.mjs';

/**
 * Fetches the locked packages of a runtime from the npm registry. Needs only npm, which comes with every Node. Fails if
 * a package does not match its integrity, and then runs nothing from it.
 *
 * npm unpacks a package while it arrives, before it can check all of it. This happens in a folder that nothing runs from, so
 * the command line never runs what an interrupted set-up leaves.
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {string} [folder]
 * @param {NodeJS.ProcessEnv} [env] in which npm can write
 */
export async function bringToolchain({ node, packages }, folder = TOOLCHAIN, env = process.env) {
  // Packages with the program for one platform are not mentioned.
  const what = Object.entries(packages)
    .filter(([name]) => !name.startsWith('@'))
    .map(([name, { version }]) => `${name} ${version}`)
    .join(' and ');
  console.error(`Fetching ${what} into .toolchain/ ...`);
  const draft = join(folder, 'unverified');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  const { manifest, lockfile } = filesForNpm(packages);
  writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(draft, 'package-lock.json'), JSON.stringify(lockfile));
  const { succeeded, output } = await runQuietly(
    'npm',
    [
      ...['ci', `--prefix=${draft}`, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      ...['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
    ],
    { cwd: draft, env },
  );
  if (!succeeded) {
    rmSync(draft, { recursive: true });
    throw new SetUpError(failureOf(what, output), output);
  }
  const installed = join(folder, 'node_modules');
  rmSync(installed, { recursive: true, force: true });
  renameSync(join(draft, 'node_modules'), installed);
  rmSync(draft, { recursive: true });
  // Replaces a shell script, which not every program can start, by the native program.
  await expectSuccess(process.execPath, [join(folder, 'node_modules', 'pnpm', 'install.js')], 'pnpm');
  await expectSuccess(node, ['--version'], `the Node that was fetched`);
}

/** Errors of the machine's disk, and not of the registry. */
const UNWRITABLE = new Set(['EACCES', 'EDQUOT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/**
 * @param {string} what
 * @param {string} output npm's
 */
function failureOf(what, output) {
  const code = output.match(/npm error code (\w+)/)?.[1] ?? 'npm failed';
  if (UNWRITABLE.has(code)) {
    const path = output.match(/npm error path (.+)/)?.[1] ?? 'a folder of its own';
    return `npm could not write in ${path} (${code}): make that possible, or name another folder in npm_config_cache.`;
  }
  return code === 'EINTEGRITY'
    ? `The npm registry sent another ${what} than tooling/setup/toolchain/package-lock.json names (${code}). Nothing from it was run.`
    : `Could not fetch ${what} (${code}): the npm registry has to be reachable the first time.`;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} what
 */
async function expectSuccess(command, args, what) {
  const { succeeded, output } = await runQuietly(command, args, { cwd: ROOT });
  if (!succeeded)
    throw new SetUpError(`Could not run ${what} on this machine: install Node 24 or newer.`, output);
}
