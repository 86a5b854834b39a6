// npm start: installs whatever is missing, then runs the server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const { node, env } = await setUp({ browser: false });
  const bin = join(ROOT, 'apps', 'server', 'bin');
  const flags = JSON.parse(readFileSync(join(bin, 'node-flags.json'), 'utf8'));
  const { status } = await supervise(
    node,
    [...flags, join(bin, 'gatehouse-server.js'), ...process.argv.slice(2)],
    {
      cwd: ROOT,
      env,
      channel: true,
    },
  );
  return status;
});
