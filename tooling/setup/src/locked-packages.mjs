/**
 * Returns all packages of registries in pnpm's lockfile. Without the file of one that is installed by its path, pnpm fails.
 * @param {string} lockfile
 * @returns {string[]} as `name@version`
 */
export function lockedPackages(lockfile) {
  return Object.keys(entriesOf(lockfile, 'packages')).filter((name) => !name.includes('@file:'));
}

/**
 * Returns the packages that only some packages of the workspace bring, by themselves or through others.
 * @param {readonly string[]} these the folders of these packages
 * @param {string} lockfile
 * @returns {Set<string>} as `name@version`
 */
export function packagesOnlyOf(these, lockfile) {
  const importers = entriesOf(lockfile, 'importers');
  const snapshots = entriesOf(lockfile, 'snapshots');
  /** @param {(folder: string) => boolean} wanted */
  const reachable = (wanted) => {
    const found = new Set();
    const waiting = Object.entries(importers).flatMap(([folder, lines]) =>
      wanted(folder) ? dependenciesOf(lines) : [],
    );
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(...dependenciesOf(snapshots[next] ?? []));
    }
    // The peers are in parentheses.
    return new Set([...found].map((key) => key.replace(/\(.*/, '')));
  };
  const others = reachable((folder) => !these.includes(folder));
  return new Set([...reachable((folder) => these.includes(folder))].filter((name) => !others.has(name)));
}

/**
 * @param {string} lockfile
 * @param {string} section
 * @returns {Record<string, string[]>} the lines of each entry by its key
 */
function entriesOf(lockfile, section) {
  const text = lockfile.split(`\n${section}:\n`)[1]?.split(/^\S/m)[0] ?? '';
  /** @type {Record<string, string[]>} */
  const entries = {};
  /** @type {string[]} */
  let lines = [];
  for (const line of text.split('\n')) {
    const key = line.match(/^ {2}'?([^\s']+?)'?:(?: \{\})?$/)?.[1];
    if (key === undefined) lines.push(line);
    else {
      lines = [];
      entries[key] = lines;
    }
  }
  return entries;
}

/**
 * A package has `name: version` at the third level; a package of the workspace has a `version` below the name.
 * @param {readonly string[]} lines
 */
function dependenciesOf(lines) {
  let name = '';
  return lines.flatMap((line) => {
    const [, indent, key, value] = line.match(/^( +)'?([^\s']+?)'?:(?: '?([^\s']+)'?)?$/) ?? [];
    if (indent === undefined || key === undefined) return [];
    if (indent.length === 6) name = key;
    const version = indent.length === 6 || key === 'version' ? value : undefined;
    if (version === undefined || version.startsWith('link:')) return [];
    // An alias has the name of the package in its version.
    return [/^@?[^@(]+@/.test(version) ? version : `${name}@${version}`];
  });
}
