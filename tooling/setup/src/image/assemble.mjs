// What `image.mjs` runs, with the Node that the image gets.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../run-quietly.mjs';
import { runMain, SetUpError } from '../set-up-error.mjs';
import { ROOT } from '../workspace.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { copyPackages } from './production-files.mjs';
import { setTimes, writeRootFiles } from './root-files.mjs';
import { copySharedLibraries } from './shared-libraries.mjs';
import { APPS } from './workspace-packages.mjs';

await runMain(async () => {
  const [, , image] = process.argv;
  if (image === undefined) throw new SetUpError('Name the folder for the root file system.');
  const filters = APPS.flatMap((name) => ['--filter-prod', `${name}...`]);
  const install = ['install', '--prod', '--frozen-lockfile', '--ignore-scripts', ...filters];
  const { succeeded, output } = await runQuietly('pnpm', install, { cwd: ROOT });
  if (!succeeded) throw new SetUpError('pnpm could not install the dependencies: see above.', output);

  copyPackages(ROOT, join(image, 'gatehouse'));
  const node = join(image, 'usr/local/bin/node');
  mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
  cpSync(process.execPath, node);
  const libraries = await copySharedLibraries(image);
  writeRootFiles(image);
  await writeBillOfMaterials(image, { node, libraries });
  setTimes(image);
  return 0;
});
