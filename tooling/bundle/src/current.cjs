// Finds the current bundle of a program. Each command runs this file, so it loads only modules of Node. It also runs under older
// versions of Node.
const { accessSync, constants, existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '../../..');

/** The bundles, each in a folder of its own, and for each program a list of what the current one was made of. */
const BUNDLES = join(ROOT, 'dist/programs');

/**
 * @typedef {object} Manifest
 * @property {string} program the path of the program, relative to `BUNDLES`
 * @property {readonly (readonly [path: string, stamp: number])[]} inputs the files that it was made of, relative to the root
 */

const MAYBE = { throwIfNoEntry: false };

/**
 * Says when a file was changed, by any means that changes its content or its name, in milliseconds; 0 if it is not there.
 * @param {string} path relative to the root
 */
function stampOf(path) {
  // Paths are concatenated, because V8 would optimize `join` after hundreds of calls, which takes longer than the calls.
  const stats = statSync(`${ROOT}/${path}`, MAYBE);
  return stats === undefined ? 0 : stats.ctimeMs;
}

/**
 * Returns the path of the program in its bundle; undefined if there is none, or if a file that it was made of was changed.
 * @param {string} name
 * @returns {string | undefined}
 */
function currentProgram(name) {
  try {
    /** @type {Manifest} */
    const { program, inputs } = JSON.parse(readFileSync(join(BUNDLES, `${name}.json`), 'utf8'));
    for (const [path, stamp] of inputs) if (stampOf(path) !== stamp) return undefined;
    return join(BUNDLES, program);
  } catch {
    return undefined;
  }
}

/**
 * Returns the path of a program in its current bundle, and makes the bundle if there is none. Undefined if the user cannot write in
 * the checkout, or if another process makes the bundle. The caller then runs the sources.
 * @param {string} name
 * @param {{ node?: string, patient?: boolean }} [options] `patient`: waits for another process that bundles
 * @returns {string | undefined}
 */
function bundledProgram(name, { node = process.execPath, patient = false } = {}) {
  const current = currentProgram(name);
  if (current !== undefined || !isWritable()) return current;
  const args = [join(__dirname, 'main.ts'), name, ...(patient ? ['--wait'] : [])];
  const env = { ...process.env };
  // Modules preloaded into the program are not meant for the process that bundles it.
  delete env.NODE_OPTIONS;
  // Needed only here, and slow to load.
  const { spawnSync } = require('node:child_process');
  spawnSync(node, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', patient ? 'inherit' : 'ignore'] });
  return currentProgram(name);
}

function isWritable() {
  try {
    accessSync(existsSync(BUNDLES) ? BUNDLES : ROOT, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

module.exports = { BUNDLES, ROOT, bundledProgram, currentProgram, stampOf };
