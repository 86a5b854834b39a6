import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { productionPackages } from './workspace-packages.mjs';

/** Files that running programs do not read: types, and maps to missing sources. */
const NOT_RUN = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$/;

/** Native addons for other systems, in packages that contain those for all systems. */
const PREBUILDS = `${sep}prebuilds${sep}`;

/**
 * Copies the files that the bundle reads: the files of pages, and the libraries that are not in the bundle, with their
 * dependencies, as pnpm installed them. The embedded database is left out: it is started through a shell, and a
 * container has its database elsewhere.
 * @param {string} root
 * @param {string} target
 * @param {readonly string[]} required the folders of the libraries that are not in the bundle
 */
export function copyFiles(root, target, required) {
  for (const folder of productionPackages(root)) {
    for (const assets of assetFolders(join(root, folder, 'src'))) {
      copy(assets, join(target, relative(root, assets)));
    }
    // Links to the libraries, at the places where programs look for them.
    for (const library of linksIn(join(root, folder, 'node_modules'))) {
      if (required.includes(realpathSync(library))) copy(library, join(target, relative(root, library)));
    }
  }
  for (const file of ['LICENSE']) copy(join(root, file), join(target, file));
  for (const folder of withDependencies(required)) {
    copy(folder, join(target, relative(realpathSync(root), folder)));
  }
}

/** @param {string} folder */
function assetFolders(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'assets')
    .map((path) => join(folder, path));
}

/**
 * Returns the folders of these libraries in the store, which link to their dependencies, and the folders of the
 * dependencies.
 * @param {readonly string[]} libraries
 */
function withDependencies(libraries) {
  const found = new Set();
  const waiting = [...libraries];
  for (let library = waiting.pop(); library !== undefined; library = waiting.pop()) {
    const [store = '', version = ''] = library.split(`${sep}.pnpm${sep}`);
    const folder = join(store, '.pnpm', version.split(sep)[0] ?? '');
    if (found.has(folder)) continue;
    found.add(folder);
    waiting.push(...linksIn(join(folder, 'node_modules')).map((link) => realpathSync(link)));
  }
  return [...found].sort();
}

/**
 * The packages in a folder `node_modules`, with those of a scope.
 * @param {string} folder
 * @returns {string[]}
 */
function linksIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? linksIn(join(folder, name)) : [join(folder, name)]))
    .filter((path) => existsSync(path));
}

/**
 * @param {string} from
 * @param {string} to
 */
function copy(from, to) {
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

/**
 * The texts of the licences of libraries, which their authors ask to keep with every copy.
 * @param {readonly string[]} libraries their folders
 */
export function licencesOf(libraries) {
  const parts = libraries.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `${parts.sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
