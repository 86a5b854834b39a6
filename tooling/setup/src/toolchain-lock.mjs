import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './workspace.mjs';

/**
 * An entry of npm's lockfile.
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {string} integrity
 * @property {string | readonly string[]} [os] as in `process.platform`; absent: all
 * @property {string | readonly string[]} [cpu] as in `process.arch`; absent: all
 * @property {string | readonly string[]} [libc] absent: all
 * @property {Record<string, string>} [bin]
 * @property {boolean} [optional]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** @typedef {Readonly<Record<string, LockedPackage>>} LockedPackages by name */

/**
 * @typedef {object} Machine
 * @property {string} platform as in `process.platform`
 * @property {string} architecture as in `process.arch`
 * @property {'glibc' | 'musl' | undefined} libc undefined on anything but Linux
 */

/** Its manifest has the versions of pnpm and of the installed Node. */
export const TOOLCHAIN_MANIFEST = join(ROOT, 'tooling', 'setup', 'toolchain');

const PREFIX = 'node_modules/';

/**
 * Returns the locked packages for a machine: those of pnpm, and those of Node (none for an unsupported platform).
 * @param {Machine} machine
 * @returns {{ pnpm: LockedPackages, node: LockedPackages }}
 */
export function lockedToolchain({ platform, architecture, libc }) {
  const { packages } = JSON.parse(readFileSync(join(TOOLCHAIN_MANIFEST, 'package-lock.json'), 'utf8'));
  const { '': root, ...locked } = /** @type {LockedPackages} */ (packages);
  /** @type {{ pnpm: Record<string, LockedPackage>, node: Record<string, LockedPackage> }} */
  const fitting = { pnpm: {}, node: {} };
  for (const [path, entry] of Object.entries(locked)) {
    if (!allows(entry.os, platform) || !allows(entry.cpu, architecture) || !allows(entry.libc, libc))
      continue;
    const name = path.slice(PREFIX.length);
    // The manifest's optional dependencies are the packages of Node.
    const part = root?.optionalDependencies?.[name] === undefined ? fitting.pnpm : fitting.node;
    part[name] = entry;
  }
  return fitting;
}

/**
 * A manifest and a lockfile with which `npm ci` installs these packages and no others. All of them are required, even
 * those that are optional in the committed lockfile because they are for one platform: npm omits an optional package
 * that does not match its integrity, and succeeds.
 * @param {LockedPackages} packages
 */
export function filesForNpm(packages) {
  const dependencies = Object.fromEntries(
    Object.entries(packages).map(([name, { version }]) => [name, version]),
  );
  const entries = Object.entries(packages).map(([name, { optional, optionalDependencies, ...entry }]) => [
    PREFIX + name,
    entry,
  ]);
  return {
    manifest: { private: true, dependencies },
    lockfile: { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(entries) } },
  };
}

/**
 * @param {string | readonly string[] | undefined} allowed
 * @param {string | undefined} actual
 */
function allows(allowed, actual) {
  return allowed === undefined || [allowed].flat().some((name) => name === actual);
}
