import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeOutExtensions } from '@gatehouse/new-resource/product-alone';
import { copyExample, copySources, run } from '../clones.ts';
import { commandBlocksIn } from '../documented-commands/command-blocks.ts';
import { locationOf } from '../documents.ts';

const ROOT = fileURLToPath(locationOf('.'));

/** Writes the sources of an older version into a new folder, with the locked dependencies of that version. */
export function openOlderVersion(commit: string, folder: string): void {
  const options = { cwd: ROOT, maxBuffer: 2 ** 30 };
  execFileSync('mkdir', [folder]);
  execFileSync('tar', ['-x', '-C', folder], { input: execFileSync('git', ['archive', commit], options) });
  run(folder, 'npm run setup');
}

/** Copies this version into a new folder. Nothing is installed there. */
export function copyThisVersion(folder: string): void {
  copySources(ROOT, folder);
  run(folder, takeOutExtensions(folder));
}

/**
 * Packs an extension as the guide of the older version says, against the extension kit of that version.
 *
 * @param guide the path of the guide in the older version
 */
export function packExtension(older: string, guide: string): void {
  const blocks = commandBlocksIn(readFileSync(join(older, guide), 'utf8'), guide);
  const block = (name: string) => {
    const found = blocks.find((each) => each.name === `${guide}: ${name}`);
    if (found === undefined) throw new Error(`${older}/${guide} has no block "${name}"`);
    return found.text;
  };
  run(older, block('Pack the kit 1'));
  copyExample(join(older, 'tooling/shift-notes'), join(older, 'packages/tool-loans'));
  run(older, block('Move the package out 1'));
  const extension = join(older, '../tool-loans');
  for (const [index, file] of ['package.json', 'tsconfig.json', 'src/domain/tsconfig.json'].entries()) {
    writeFileSync(join(extension, file), block(`Describe it ${index + 1}`));
  }
  // Its own tests belong to the older version.
  run(extension, block('Build it 1').replace('pnpm test\n', ''));
}

/** Registers the packed extension in the folder of a version. The folder still has to install it. */
export function registerExtension(folder: string): void {
  edit(folder, 'package.json', '"dependencies": {', (line) => `${line}\n${LINE}`);
  edit(folder, 'src/index.ts', 'EXTENSIONS: readonly Extension[] = [', (list) => `${list}toolLoans`);
  edit(
    folder,
    'src/index.ts',
    'import ',
    (first) => `import { toolLoans } from '@acme/tool-loans';\n${first}`,
  );
}

const LINE = '"@acme/tool-loans": "file:../../../tool-loans/acme-tool-loans-1.0.0.tgz",';

function edit(folder: string, file: string, place: string, change: (found: string) => string): void {
  const path = join(folder, 'packages/extensions', file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(place)) throw new Error(`${path} has no "${place}"`);
  writeFileSync(path, text.replace(place, change));
}
