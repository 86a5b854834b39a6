import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './run.ts';

/** A library of a registry, as pnpm-lock.yaml locks it. */
export interface LockedLibrary {
  readonly name: string;
  readonly version: string;
  /** The hash of its tarball, as in Subresource Integrity, such as `sha512-...`. */
  readonly integrity: string;
  /** Whether an installation works without it. */
  readonly isOptional: boolean;
  /** The libraries that it depends on, as `name@version`. */
  readonly dependencies: readonly string[];
}

/** The parts of pnpm's lockfile that describe libraries. */
export interface Lockfile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly resolution: { readonly integrity: string };
        readonly peerDependencies?: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly snapshots: Readonly<
    Record<
      string,
      {
        readonly dependencies?: Readonly<Record<string, string>>;
        readonly optionalDependencies?: Readonly<Record<string, string>>;
      }
    >
  >;
}

/** The path of the lockfile. */
export const LOCKFILE = join(ROOT, 'pnpm-lock.yaml');

/**
 * Returns these libraries and everything that they bring, sorted by name. Peers are left out: a package manager
 * installs none of them because of an optional peer.
 *
 * @param roots as `name@version`
 * @throws Error if the lockfile has no such library
 */
export function lockedLibraries(
  roots: readonly string[],
  { packages, snapshots }: Lockfile = readLockfile(),
): readonly LockedLibrary[] {
  const found = new Map<string, LockedLibrary>();
  const waiting = roots.map((id) => ({ id, isOptional: false }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { id, isOptional } = next;
    if (found.has(id)) continue;
    const locked = packages[id];
    const variant = Object.keys(snapshots).find((key) => withoutPeers(key) === id);
    if (locked === undefined || variant === undefined) throw new Error(`pnpm-lock.yaml has no ${id}`);
    const { dependencies, optionalDependencies } = snapshots[variant] ?? {};
    const required = idsOf(dependencies, locked.peerDependencies);
    const optional = idsOf(optionalDependencies, locked.peerDependencies);
    const at = id.lastIndexOf('@');
    found.set(id, {
      name: id.slice(0, at),
      version: id.slice(at + 1),
      integrity: locked.resolution.integrity,
      isOptional,
      dependencies: [...required, ...optional].toSorted(),
    });
    // A library that one library requires counts as required, so required ones come first.
    waiting.unshift(...required.map((each) => ({ id: each, isOptional })));
    waiting.push(...optional.map((each) => ({ id: each, isOptional: true })));
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

let lockfile: Lockfile | undefined;

/** Reads the lockfile once, because that takes a second. */
function readLockfile(): Lockfile {
  lockfile ??= parse(readFileSync(LOCKFILE, 'utf8')) as Lockfile;
  return lockfile;
}

/** pnpm adds the peers of a library in parentheses. */
const withoutPeers = (id: string) => id.replace(/\(.*/, '');

function idsOf(
  versions: Readonly<Record<string, string>> = {},
  peers: Readonly<Record<string, string>> = {},
): readonly string[] {
  return Object.entries(versions)
    .filter(([name]) => !Object.hasOwn(peers, name))
    .map(([name, version]) => `${name}@${withoutPeers(version)}`);
}

/** Returns the version of a library that a package of the workspace uses. */
export function lockedVersion(library: string, folder: string): string {
  return JSON.parse(readFileSync(join(ROOT, folder, 'node_modules', library, 'package.json'), 'utf8'))
    .version;
}
