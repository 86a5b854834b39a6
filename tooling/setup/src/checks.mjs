import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './workspace.mjs';

/** All checkers read the same files, so more of them than cores only cost more. */
const CHECKERS = Math.min(4, availableParallelism());

/**
 * The checks that `npm test` runs before the tests: each has a heading, and a command with its arguments.
 * @param {boolean} isTerminal some tools use colours even in a file
 * @returns {readonly (readonly [string, string, ...string[]])[]}
 */
export function checks(isTerminal) {
  return [
    // Below warnings are hints, which hide the errors.
    [
      'Format and lint',
      'biome',
      'ci',
      '--diagnostic-level=warn',
      `--colors=${isTerminal ? 'force' : 'off'}`,
      '.',
    ],
    ['Boundaries', 'turbo', 'boundaries'],
    // If each package were compiled alone, the compiler would read shared packages once for each.
    ['Types', 'tsc', '--noEmit', '--checkers', String(CHECKERS)],
    ['Types of the domain, which knows no Node', 'tsc', '--noEmit', '--project', 'packages/domain'],
    ...extensionDomains().map(
      (folder) => /** @type {const} */ ([`Types of ${folder}`, 'tsc', '--noEmit', '--project', folder]),
    ),
    ['Generated documents', 'node', 'tooling/checks/src/check-docs.ts'],
  ];
}

/** The domains of extensions, which know no Node either. */
function extensionDomains() {
  const folders = ['packages', 'tooling'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}/src/domain`),
  );
  return folders.filter((folder) => existsSync(join(ROOT, folder, 'tsconfig.json')));
}
