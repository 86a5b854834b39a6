// The part that `image.mjs` runs with the Node of the image.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../run-quietly.mjs';
import { runMain, SetUpError } from '../set-up-error.mjs';
import { ROOT } from '../workspace.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { warmCompileCache } from './compile-cache.mjs';
import { copyFiles, licencesOf } from './production-files.mjs';
import { setTimes, writeRootFiles } from './root-files.mjs';
import { copySharedLibraries } from './shared-libraries.mjs';
import { APPS } from './workspace-packages.mjs';

const BUNDLER = '@gatehouse/bundle';

await runMain(async () => {
  const [, , image] = process.argv;
  if (image === undefined) throw new SetUpError('Name the folder for the root file system.');
  const filters = [...APPS, BUNDLER].flatMap((name) => ['--filter-prod', `${name}...`]);
  const install = ['install', '--prod', '--frozen-lockfile', '--ignore-scripts', ...filters];
  const { succeeded, output } = await runQuietly('pnpm', install, { cwd: ROOT });
  if (!succeeded) throw new SetUpError('pnpm could not install the dependencies: see above.', output);

  const gatehouse = join(image, 'gatehouse');
  const bundler = join(ROOT, 'tooling/bundle/src/image.ts');
  const made = await runQuietly(process.execPath, [bundler, join(gatehouse, 'programs')], { cwd: ROOT });
  if (!made.succeeded) throw new SetUpError('The programs could not be bundled: see above.', made.output);
  const { bundled, required } = JSON.parse(made.output);
  copyFiles(ROOT, gatehouse, required);
  writeFileSync(join(gatehouse, 'THIRD-PARTY-LICENSES.txt'), licencesOf(bundled));
  const node = join(image, 'usr/local/bin/node');
  mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
  cpSync(process.execPath, node);
  const libraries = await copySharedLibraries(image);
  writeRootFiles(image);
  await writeBillOfMaterials(image, { node, libraries, bundled });
  await warmCompileCache(join(gatehouse, 'programs'));
  setTimes(image);
  return 0;
});
