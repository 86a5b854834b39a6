import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Tests that may notice a mutation, as one run of Vitest. */
export interface Stage {
  readonly name: string;
  readonly args: readonly string[];
  /** In milliseconds. Unmutated, on two idle cores, each stage ends well before. */
  readonly timeoutMs: number;
}

/** The packages whose tests import mutated files, the quickest first. */
export const DEPENDENTS = [
  'packages/cache',
  'packages/pages',
  'apps/server',
  'apps/cli',
  'packages/postgres',
];

const MINUTE = 60_000;

/**
 * The tests that cover a file, the quickest first: those beside it, those of its package, and those of the apps and the
 * other packages that import it.
 */
export function stagesOf(root: string, file: string): readonly Stage[] {
  const project = projectsOf(file);
  const beside = globSync(join(dirname(file), '*.test.ts'), { cwd: root });
  const others = DEPENDENTS.filter((path) => !file.startsWith(`${path}/`)).flatMap((path) => [
    '--project',
    path,
  ]);
  return [
    ...(beside.length === 0
      ? []
      : [{ name: 'beside it', args: ['run', ...beside, ...project], timeoutMs: 3 * MINUTE }]),
    { name: 'of its package', args: ['run', `${packageOf(file)}/`, ...project], timeoutMs: 15 * MINUTE },
    {
      name: 'of what imports it',
      args: ['related', '--run', file, ...others, '--passWithNoTests'],
      timeoutMs: 30 * MINUTE,
    },
  ];
}

/** The arguments that select Vitest's project of a file's package, which is named after the folder, and the faults. */
export function projectsOf(file: string): readonly string[] {
  return ['--project', packageOf(file), '--project', 'faults'];
}

const packageOf = (file: string) => file.split('/').slice(0, 2).join('/');
