import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './run-quietly.mjs';
import { NODE_VERSION, PNPM_VERSION } from './runtime.mjs';
import { SetUpError } from './set-up-error.mjs';
import { ROOT, TOOLCHAIN } from './workspace.mjs';

/**
 * Fetches pnpm, and Node if it is among the packages, from the npm registry. Only npm is needed for it: it comes
 * with every Node.
 * @param {import('./runtime.mjs').Runtime} runtime
 */
export async function bringToolchain({ node, packages }) {
  const what = packages.length > 1 ? `pnpm ${PNPM_VERSION} and Node ${NODE_VERSION}` : `pnpm ${PNPM_VERSION}`;
  console.error(`Fetching ${what} into .toolchain/ ...`);
  rmSync(join(TOOLCHAIN, 'node_modules'), { recursive: true, force: true });
  // Without it, npm would look for a package further up.
  writeFileSync(join(TOOLCHAIN, 'package.json'), '{ "private": true }\n');
  const { succeeded, output } = await runQuietly(
    'npm',
    [
      'install',
      `--prefix=${TOOLCHAIN}`,
      ...[
        '--no-save',
        '--no-package-lock',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ],
      ...['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
      ...packages,
    ],
    { cwd: TOOLCHAIN },
  );
  if (!succeeded) {
    const reason = output.match(/npm error code (\w+)/)?.[1] ?? 'npm failed';
    throw new SetUpError(
      `Could not fetch ${what} (${reason}): the npm registry has to be reachable the first time.`,
      output,
    );
  }
  // Puts the native program in the place of a shell script, which not every program can start.
  await expectSuccess(process.execPath, [join(TOOLCHAIN, 'node_modules', 'pnpm', 'install.js')], 'pnpm');
  await expectSuccess(node, ['--version'], `the Node that was fetched`);
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
