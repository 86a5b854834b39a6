import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolder } from './pack-folder.ts';
import { ROOT, run } from './run.ts';

export interface LibraryOptions {
  /** The folder of the tarball. */
  readonly folder: string;
  /** The oldest Node that the library supports, such as `20.3`. */
  readonly oldestNode: string;
  /** Changes the copy of the sources before they are compiled. */
  readonly change?: (sources: string) => void;
}

/**
 * Packs a library that has no dependencies, as JavaScript with declarations.
 *
 * @param source the folder of its package
 * @returns the path of the tarball
 * @throws Error with what the compiler says
 */
export function packLibrary(source: string, { folder, oldestNode, change }: LibraryOptions): string {
  const draft = mkdtempSync(join(tmpdir(), 'gatehouse-library-'));
  try {
    cpSync(join(source, 'src'), join(draft, 'src'), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
    change?.(join(draft, 'src'));
    const manifest = manifestOf(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')), oldestNode);
    // The compiler reads there that the files are modules.
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(draft, 'tsconfig.json'), JSON.stringify(compilerOptions(source, draft)));
    run(ROOT, 'tsc', '--project', join(draft, 'tsconfig.json'));
    cpSync(join(source, 'README.md'), join(draft, 'README.md'));
    return packFolder(draft, manifest, {}, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function compilerOptions(source: string, draft: string) {
  return {
    extends: join(source, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      // The compiler cannot do both at once: this step changes the file extensions in imports to those of JavaScript.
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      typeRoots: [join(source, 'node_modules/@types')],
      rootDir: join(draft, 'src'),
      outDir: join(draft, 'dist'),
    },
    include: [join(draft, 'src')],
  };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

function manifestOf({ name, version, description, license }: Manifest, oldestNode: string) {
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: `>=${oldestNode}` },
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
  };
}
