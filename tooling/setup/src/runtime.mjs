import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { SetUpError } from './set-up-error.mjs';
import { lockedToolchain } from './toolchain-lock.mjs';
import { ROOT, TOOLCHAIN } from './workspace.mjs';

/** The sources and several libraries need this version. `tooling/bundle/gatehouse.cjs` has the same number. */
export const MIN_NODE = 24;

/**
 * @typedef {object} Runtime
 * @property {string} node the path of the Node that runs everything
 * @property {import('./toolchain-lock.mjs').LockedPackages} packages the packages for the toolchain folder
 */

/**
 * Returns the running Node if it is new enough, else one of our own.
 * @param {{ version?: string, platform?: string, architecture?: string, node?: string }} [machine]
 * @returns {Runtime}
 */
export function chooseRuntime({
  version = process.versions.node,
  platform = process.platform,
  architecture = process.arch,
  node = process.execPath,
} = {}) {
  if (platform === 'win32') {
    throw new SetUpError('Windows is not supported: use the Windows Subsystem for Linux.');
  }
  const locked = lockedToolchain({
    platform,
    architecture,
    libc: platform === 'linux' ? libcOfNode() : undefined,
  });
  // In a shell with the tools, our own Node is first in PATH; it is updated like the rest of the toolchain.
  const isOurs = node.startsWith(join(TOOLCHAIN, 'node_modules'));
  if (!isOurs && Number.parseInt(version, 10) >= MIN_NODE) return { node, packages: locked.pnpm };
  const [name] = Object.keys(locked.node);
  if (name === undefined) {
    throw new SetUpError(
      `Node ${version} is too old, and there is no newer one to fetch for ${platform} on ${architecture}: install Node ${MIN_NODE} or newer.`,
    );
  }
  return {
    node: join(TOOLCHAIN, 'node_modules', name, 'bin', 'node'),
    packages: { ...locked.pnpm, ...locked.node },
  };
}

/** Returns the C library that the running Node is linked with. */
function libcOfNode() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/**
 * Returns an environment whose PATH has our `pnpm`, `node` and the workspace's tools first.
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
