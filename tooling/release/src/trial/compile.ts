import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '@gatehouse/build-kit';
import type { Room } from './room.ts';

/**
 * Compiles TypeScript in a room, against the declarations of the packages that are installed there.
 *
 * @throws Error with what the compiler says
 */
export function compile(room: Room, files: readonly string[]): void {
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      skipLibCheck: false,
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable', 'dom'],
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    files,
  };
  writeFileSync(join(room.folder, 'tsconfig.json'), JSON.stringify(config));
  run(ROOT, 'tsc', '--project', join(room.folder, 'tsconfig.json'));
}
