import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from '@gatehouse/build-kit';
import type { ClientDocument } from './document.ts';
import { printOperations } from './print-operations.ts';

const CLIENT = join(ROOT, 'packages/client');

/**
 * Packs the client as JavaScript with declarations.
 *
 * @param document the OpenAPI document whose operations it has, such as that of a server with extensions
 * @returns the path of the tarball in `folder`
 * @throws Error with what the compiler says
 */
export function buildClient(folder: string, document: ClientDocument): string {
  const draft = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  try {
    cpSync(join(CLIENT, 'src'), join(draft, 'src'), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
    writeFileSync(join(draft, 'src/operations.ts'), printOperations(document));
    const manifest = manifestOf(JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')));
    writeFileSync(join(draft, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    writeFileSync(join(draft, 'tsconfig.json'), JSON.stringify(compilerOptions(draft)));
    run(ROOT, 'tsc', '--project', join(draft, 'tsconfig.json'));
    for (const file of ['README.md', 'LICENSE']) {
      cpSync(join(file === 'LICENSE' ? ROOT : CLIENT, file), join(draft, file));
    }
    mkdirSync(folder, { recursive: true });
    run(draft, 'pnpm', 'pack', '--pack-destination', folder);
    return join(folder, `gatehouse-client-${manifest.version}.tgz`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function compilerOptions(draft: string) {
  return {
    extends: join(CLIENT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      // The compiler cannot do both at once: this step changes the file extensions in imports to those of JavaScript.
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      declaration: true,
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

function manifestOf({ name, version, description, license }: Manifest) {
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
  };
}
