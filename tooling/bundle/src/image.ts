// Bundles both programs for the image: `node tooling/bundle/src/image.ts FOLDER`. Prints, as JSON, which libraries are
// in them and which are not.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleProgram, PROGRAM_NAMES } from './bundle-program.ts';
import { ROOT } from './current.cjs';
import { requiredFolders } from './required-libraries.ts';

const [folder = ''] = process.argv.slice(2);
const modules: string[] = [];
for (const name of PROGRAM_NAMES) modules.push(...(await bundleProgram(name, ROOT, folder, '..')));
const bundled = modules.filter((path) => path.includes('/node_modules/')).map(packageOf);
const unique = (folders: readonly string[]) => [...new Set(folders)].toSorted();
process.stdout.write(JSON.stringify({ bundled: unique(bundled), required: unique(requiredFolders(ROOT)) }));

/** The folder of the package that a file belongs to. */
function packageOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8'))) return folder;
  }
}
