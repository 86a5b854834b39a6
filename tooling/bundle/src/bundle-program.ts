import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeSplittingGroup, type OutputChunk, rolldown } from 'rolldown';
import { asciiTemplates } from './ascii-templates.ts';
import { compileChunks, copyChunkLoader, ENTRY, WRAPPER } from './compile-chunks.ts';
import { laterBuiltIns, pgCryptography } from './lighter-libraries.ts';
import { placesOfSources } from './places-of-sources.ts';
import { requiredLibraries } from './required-libraries.ts';

/** The entry files of a program and of its threads, by their names in the bundle. */
export type ProgramName = keyof typeof PROGRAMS;

const PROGRAMS = {
  gatehouse: {
    entries: { gatehouse: 'apps/cli/bin/bundled.js' },
    // Opening a file takes time. So the modules that every command needs are one chunk, those that define commands are another, and
    // those that connect to the database are a third.
    groups: [
      { name: 'program', test: /\/apps\/cli\/src\/run-process\.ts$/, priority: 3 },
      {
        name: 'command',
        test: /\/apps\/cli\/src\/(extension-commands|described\/[^/]+|commands\/shared-options)\.ts$/,
        priority: 2,
      },
      { name: 'database', test: /\/apps\/cli\/src\/(prepare|database|container)\.ts$/, priority: 1 },
    ],
    // Only a short command gains by compiled code. In a server, V8 compiles each function when it is called.
    isCompiled: true,
  },
  'gatehouse-server': {
    entries: {
      'gatehouse-server': 'apps/server/bin/bundled.js',
      'hashing-thread': 'packages/password-argon2/src/hashing-thread.ts',
    },
    groups: [],
    isCompiled: false,
  },
} satisfies Record<
  string,
  { entries: Record<string, string>; groups: CodeSplittingGroup[]; isCompiled: boolean }
>;

export const PROGRAM_NAMES = Object.keys(PROGRAMS) as readonly ProgramName[];

/** Our modules do nothing when they are loaded, so an unused module is left out. */
const WITHOUT_EFFECTS = /\/(apps|packages)\/[^/]+\/src\//;

/**
 * Bundles a program of the checkout `root` into a folder: one file for the code that it needs at once, and separate
 * files for the code that it loads later. They are CommonJS, which Node loads in half the time of modules.
 *
 * @param sources where the bundle finds the checkout's files that are not code, relative to the folder
 * @param withCompiledCode whether the folder also gets code that V8 compiled, which differs in each build and is for
 *   one version of Node
 * @returns the paths of the modules in it
 */
export async function bundleProgram(
  name: ProgramName,
  root: string,
  folder: string,
  sources: string,
  { withCompiledCode = true }: { readonly withCompiledCode?: boolean } = {},
): Promise<readonly string[]> {
  const { entries, groups, isCompiled } = PROGRAMS[name];
  await using build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    treeshake: { moduleSideEffects: [{ test: WITHOUT_EFFECTS, sideEffects: false }] },
    plugins: [
      laterBuiltIns,
      isCompiled && pgCryptography,
      requiredLibraries(root, sources),
      placesOfSources(root, sources, entries),
      asciiTemplates,
    ],
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
    // V8 stores a source in half the memory if each of its characters is ASCII. `asciiTemplates` escapes the others.
    charset: 'ascii',
    comments: false,
    ...(isCompiled && {
      postBanner: ({ isEntry }) => (isEntry ? ENTRY : WRAPPER[0]),
      postFooter: ({ isEntry }) => (isEntry ? '' : WRAPPER[1]),
    }),
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk');
  if (isCompiled) {
    const names = chunks.filter(({ isEntry }) => !isEntry).map(({ fileName }) => fileName);
    copyChunkLoader(folder);
    if (withCompiledCode) compileChunks(folder, names);
  }
  return chunks.flatMap(({ moduleIds }) => moduleIds).filter((path) => path.startsWith(root));
}

/** pg looks for an optional library that is missing, and some small modules are imported both at once and later. */
function isExpected({ code, message }: { readonly code?: string; readonly message: string }): boolean {
  return (
    (code === 'UNRESOLVED_IMPORT' && message.includes('pg-native')) || code === 'INEFFECTIVE_DYNAMIC_IMPORT'
  );
}
