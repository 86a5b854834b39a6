import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeSplittingGroup, rolldown } from 'rolldown';
import { laterProcesses } from './later-processes.ts';
import { placesOfSources } from './places-of-sources.ts';
import { requiredLibraries } from './required-libraries.ts';

/** A program, and what of it runs in a thread of its own, by their names in the bundle. */
export type ProgramName = keyof typeof PROGRAMS;

const PROGRAMS = {
  gatehouse: {
    entries: { gatehouse: 'apps/cli/bin/bundled.js' },
    // Each file takes a millisecond to open. So what every command needs is one, and what defines commands another.
    groups: [
      { name: 'program', test: /\/apps\/cli\/src\/run-process\.ts$/, priority: 2 },
      { name: 'command', test: /\/apps\/cli\/src\/(extension-commands|described\/define-command)\.ts$/ },
    ],
  },
  'gatehouse-server': {
    entries: {
      'gatehouse-server': 'apps/server/bin/bundled.js',
      'hashing-thread': 'packages/password-argon2/src/hashing-thread.ts',
    },
    groups: [],
  },
} satisfies Record<string, { entries: Record<string, string>; groups: CodeSplittingGroup[] }>;

export const PROGRAM_NAMES = Object.keys(PROGRAMS) as readonly ProgramName[];

/** Modules of ours do nothing when they are loaded, so an unused module is left out. */
const WITHOUT_EFFECTS = /\/(apps|packages)\/[^/]+\/src\//;

/**
 * Bundles a program of the checkout `root` into a folder: what it needs at once, and in files of their own what it loads when it
 * is needed. They are CommonJS, which Node loads in half the time of modules.
 *
 * @param sources where the bundle finds the files of the checkout that are no code, relative to the folder
 * @returns the paths of the modules in it
 */
export async function bundleProgram(
  name: ProgramName,
  root: string,
  folder: string,
  sources: string,
): Promise<readonly string[]> {
  const { entries, groups } = PROGRAMS[name];
  await using build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    treeshake: { moduleSideEffects: [{ test: WITHOUT_EFFECTS, sideEffects: false }] },
    plugins: [laterProcesses, requiredLibraries(root, sources), placesOfSources(root, sources, entries)],
    onLog(level, log, report) {
      if (!isExpected(log)) report(level, log);
    },
  });
  const { output } = await build.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups },
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return modules.filter((path) => path.startsWith(root));
}

/** pg looks for a library that it does without; what is small is loaded at once in one place, and later in another. */
function isExpected({ code, message }: { readonly code?: string; readonly message: string }): boolean {
  return (
    (code === 'UNRESOLVED_IMPORT' && message.includes('pg-native')) || code === 'INEFFECTIVE_DYNAMIC_IMPORT'
  );
}
