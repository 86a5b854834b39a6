import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleProgram, PROGRAM_NAMES } from './bundle-program.ts';
import { ROOT } from './current.cjs';
import { requiredFolders } from './required-libraries.ts';

/** The libraries of bundled programs, by their folders. */
export interface ProductionLibraries {
  /** Libraries whose code is in the bundle. */
  readonly bundled: readonly string[];
  /** Libraries that the bundle loads from where they are installed. */
  readonly required: readonly string[];
}

/**
 * Bundles all programs of this checkout into one folder, as the image and the package `gatehouse` have them. The bundle
 * finds the files that are not code at the folder's parent, in the places that they have in the checkout.
 */
export async function bundleProduction(
  folder: string,
  options: { readonly withCompiledCode?: boolean } = {},
): Promise<ProductionLibraries> {
  const modules: string[] = [];
  for (const name of PROGRAM_NAMES) modules.push(...(await bundleProgram(name, ROOT, folder, '..', options)));
  const bundled = modules.filter((path) => path.includes('/node_modules/')).map(packageOf);
  return { bundled: unique(bundled), required: unique(requiredFolders(ROOT)) };
}

const unique = (folders: readonly string[]) => [...new Set(folders)].toSorted();

/** Returns the folder of the package that a file belongs to. */
function packageOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8'))) return folder;
  }
}
