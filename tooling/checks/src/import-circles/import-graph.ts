import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';

/** The files that each file imports, by their paths from the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** `from '...'`, `import '...'` and `import('...')`, whether of values or of types. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

/** Reads the imports between the sources below these folders, including types and modules that are loaded later. */
export function readImports(root: string, folders: readonly string[]): ImportGraph {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,js}`);
  const found = globSync(patterns, { cwd: root, exclude: (path) => /\bnode_modules$/.test(path) });
  const files = new Set(found.map(withSlashes));
  return new Map(
    [...files].toSorted().map((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const imported = Array.from(source.matchAll(SPECIFIER), ([, specifier = '']) =>
        fileOf(root, file, specifier),
      );
      return [file, [...new Set(imported)].filter((path) => path !== undefined && files.has(path))];
    }),
  ) as ImportGraph;
}

/** Undefined for a package of others. */
function fileOf(root: string, from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return withSlashes(join(dirname(from), specifier));
  if (!specifier.startsWith('@gatehouse/')) return undefined;
  try {
    return withSlashes(relative(root, createRequire(join(root, from)).resolve(specifier)));
  } catch {
    // Text of an example, which names a package that is not there.
    return undefined;
  }
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
