// npm run setup: installs whatever is missing and bundles the programs. With `-- --browser` it also installs the
// browser of the tests, and with `-- --site` the tools of the site.

import { join } from 'node:path';
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { partsOf, ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const { node, env } = await setUp(process.argv.flatMap(partsOf));
  await supervise(node, [join(ROOT, 'tooling/bundle/src/main.ts'), '--wait'], { cwd: ROOT, env });
  console.error(`Set up, with Node at ${node}`);
  return 0;
});
