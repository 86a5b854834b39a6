// npm start: installs whatever is missing, bundles the server if its sources were changed, and runs it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { ROOT } from './src/workspace.mjs';

// The import has no fixed path, because the file belongs to another package.
const { bundledProgram } = createRequire(import.meta.url)(join(ROOT, 'tooling/bundle/src/current.cjs'));

await runMain(async () => {
  const { node, env } = await setUp();
  const sources = join(ROOT, 'apps/server/bin');
  const flags = JSON.parse(readFileSync(join(sources, 'node-flags.json'), 'utf8'));
  const program =
    bundledProgram('gatehouse-server', { node, patient: true }) ?? join(sources, 'gatehouse-server.js');
  const { status } = await supervise(node, [...flags, program, ...process.argv.slice(2)], {
    cwd: ROOT,
    env,
    channel: true,
  });
  return status;
});
