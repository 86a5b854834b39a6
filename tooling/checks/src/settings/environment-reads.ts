import { listFiles, textOf } from '../document-links.ts';

/** The sources of the programs that operators run. Packages for programs of other people read no variables. */
const SHIPPED = [
  'apps/*/bin/*.js',
  'apps/*/src/*.ts',
  'packages/*/src/*.ts',
  'tooling/bundle/*.cjs',
  'tooling/bundle/src/*.cjs',
];

/** Files that print programs for readers, which read variables of their own. */
const PRINT_PROGRAMS = [
  'packages/pages/src/reference/introduction.ts',
  'packages/pages/src/reference/snippets.ts',
];

/** The ways in which code reads a variable by its name. A group has one name, or the names between braces. */
const READS = [
  /process\.env\['([A-Z]\w*)'\]/g,
  /\b(?:env|environment)\.([A-Z]\w*)/g,
  /\.env\('([A-Z]\w*)'\)/g,
  /\{([^{}]*)\}\s*=\s*(?:process\.env|environment)\b/g,
  /\{([^{}]*)\}:\s*(?:NodeJS\.ProcessEnv|Environment)\b/g,
];

/** A source that mentions `process.env`, with the names of the variables that it reads. */
export interface EnvironmentReads {
  readonly path: string;
  readonly names: readonly string[];
  readonly mentions: boolean;
}

/** Returns the names of the variables that a source reads. */
export function namesRead(source: string): readonly string[] {
  const groups = READS.flatMap((read) => [...source.matchAll(read)].map(([, names = '']) => names));
  return groups.flatMap((names) => names.match(/(?<![\w.'])[A-Z][A-Z0-9_]+\b/g) ?? []);
}

/** Finds the shipped sources that read variables, or that pass all of them on. */
export function environmentReads(): readonly EnvironmentReads[] {
  return listFiles(...SHIPPED)
    .filter((path) => !path.endsWith('.test.ts') && !PRINT_PROGRAMS.includes(path))
    .map((path) => {
      const source = textOf(path);
      return { path, names: namesRead(source), mentions: source.includes('process.env') };
    })
    .filter(({ names, mentions }) => names.length > 0 || mentions);
}
