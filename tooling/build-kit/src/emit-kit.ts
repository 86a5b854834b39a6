import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './run.ts';

/** The packages that extensions depend on. */
export const KIT = ['domain', 'extension-kit'] as const;

/**
 * Writes JavaScript and declarations of these packages into a folder for each, in the folders that the sources have, such
 * as `extension-kit/src/http/index.js`.
 *
 * @throws Error with what the compiler says
 */
export function emitKit(folder: string): void {
  const packages = join(ROOT, 'packages');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'tsconfig.json');
  const options = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      // The compiler cannot do both at once: this step changes the file extensions in imports to those of JavaScript.
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      rootDir: packages,
      outDir: folder,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: KIT.flatMap((name) => [join(packages, name, 'src'), join(packages, name, 'testing')]),
    // Suites of Gatehouse's own ports, which need a test runner.
    exclude: [join(packages, '**/*.test.ts'), join(packages, 'domain/testing/contracts')],
  };
  writeFileSync(config, JSON.stringify(options));
  run(ROOT, 'tsc', '--project', config);
}
